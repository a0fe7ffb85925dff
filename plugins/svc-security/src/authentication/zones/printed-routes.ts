/**
 * The routes of a server as Fastify's router itself lists them: the only place that still knows those that were declared
 * before the first svc plugin. It shows methods and paths; how such a route is guarded it does not. Pure.
 */

export interface PrintedRoute {
  readonly method: string
  /** As the router keeps it: a route with an optional parameter is two. */
  readonly path: string
  /** Equal to one of `routeKeys` of the declared route. */
  readonly key: string
}

/** Four columns per level, then `├── ` or `└── `; other constraints of the same path follow without either. */
const LINE = /^((?:│ {3}| {4})*)[├└]── (.*)$/u

/** A part of a path, the methods where it ends one, the constraints where it has some. */
const NODE = /^(.*?)(?: \(([A-Z][A-Z, -]*)\))?(?: (\{.*\}))?$/u

/** @param tree what `fastify.printRoutes()` gives */
export function printedRoutes(tree: string): PrintedRoute[] {
  const routes: PrintedRoute[] = []
  const above: Array<{ path: string; key: string }> = []
  for (const line of tree.split('\n')) {
    const [, indent = '', node] = LINE.exec(line) ?? []
    if (node === undefined) continue
    const [, label = '', methods] = NODE.exec(node) ?? []
    const depth = indent.length / 4
    const { path, key } = above[depth - 1] ?? { path: '', key: '' }
    const part = partOf(label)
    above[depth] = { path: path + part.path, key: key + part.key }
    const here = { path: path + part.path, key: fold(key + part.key) }
    for (const method of methods?.split(', ') ?? []) routes.push({ ...here, method, key: `${method} ${here.key}` })
  }
  return routes
}

/** What the router calls a declared route: without names of parameters, and twice where the last one is optional. */
export function routeKeys(method: string, url: string): string[] {
  const plain = url
    .replaceAll('::', LITERAL_COLON)
    .replace(/:[^/]*/g, ':')
    .replaceAll(LITERAL_COLON, ':')
  const paths = url.endsWith('?') ? [plain, plain.slice(0, -2)] : [plain]
  return paths.map((path) => `${method} ${fold(path)}`)
}

const LITERAL_COLON = '\u0000'

/** Parameters of several names in one place print as `:a|:b`. */
function partOf(label: string): { path: string; key: string } {
  if (label === '(empty root node)') return { path: '', key: '' }
  return label.startsWith(':') ? { path: label.replace(/\|:.*$/, ''), key: ':' } : { path: label, key: label }
}

/** A route `/` under a prefix answers with and without the slash, and routers may fold case and double slashes. */
function fold(path: string): string {
  return path
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1')
    .toLowerCase()
}
