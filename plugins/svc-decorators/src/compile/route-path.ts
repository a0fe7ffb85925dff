/** Paths as the router reads them: joined, with their parameters and a form that two equal routes share. Pure. */

export interface RoutePath {
  /** Full template: `/api/articles/:id` */
  readonly path: string
  readonly parameters: readonly string[]
  /** The template without parameter names: two routes with the same pattern collide. */
  readonly pattern: string
}

/** `/` or nothing adds no slash: `joinPaths('/api', '/')` is `/api`. */
export function joinPaths(...parts: readonly string[]): string {
  const joined = parts.reduce((path, part) => {
    if (part === '' || part === '/') return path
    return path.replace(/\/+$/, '') + (part.startsWith('/') ? part : `/${part}`)
  }, '')
  return joined === '' ? '/' : joined
}

/** What a path may not hold: white space, a fragment, a query (one `?` may end an optional parameter). */
export function isRoutePath(path: string): boolean {
  return (
    !/[\s#]/.test(path) && !/\?./.test(path) && (!path.endsWith('?') || /:[^/]+\?$/.test(path)) && !/\*./.test(path)
  )
}

export function parsePath(path: string): RoutePath {
  const parameters: string[] = []
  let pattern = ''
  for (let at = 0; at < path.length; ) {
    if (path.startsWith('::', at)) {
      pattern += '::'
      at += 2
    } else if (path[at] === ':') {
      const name = /^:([^/\-.(]*)/.exec(path.slice(at))?.[1] ?? ''
      parameters.push(name.replace(/\?$/, ''))
      at = skipExpression(path, at + 1 + name.length)
      pattern += name.endsWith('?') ? ':?' : ':'
    } else {
      if (path[at] === '*') parameters.push('*')
      pattern += path[at]
      at += 1
    }
  }
  return { path, parameters, pattern }
}

/** Past the regular expression of a parameter, where there is one. */
function skipExpression(path: string, from: number): number {
  if (path[from] !== '(') return from
  let depth = 0
  for (let at = from; at < path.length; at += 1) {
    if (path[at] === '\\') at += 1
    else if (path[at] === '(') depth += 1
    else if (path[at] === ')') depth -= 1
    if (depth === 0) return at + 1
  }
  return path.length
}
