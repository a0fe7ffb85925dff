/**
 * `routes.d.ts`, the map of routes that svc-client types its calls by. It is written for an application that lists
 * svc-client in its package.json, and only where its text has changed.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Problem } from 'svc-kernel'
import { securityOf } from 'svc-kernel/explain'
import type { ControllerMethod, DeclaredRoute } from 'svc-kernel/plugin'
import { importKernel } from '../application/app-packages.ts'
import { mapText } from './map-text.ts'
import { routeLines } from './route-lines.ts'

const FILE = 'routes.d.ts'
const MARK = '// Written by svc dev and svc build from the routes of this application. Changes are overwritten.'

/** Where the routes are. */
export interface MappedApplication {
  readonly root: string
  readonly fastify: FastifyInstance
  readonly routes: readonly DeclaredRoute[]
  importModule(path: string): Promise<Record<string, unknown>>
}

/** @returns what is wrong with the routes, for the client: warnings */
export async function writeRouteMap(app: MappedApplication): Promise<readonly Problem[]> {
  const file = join(app.root, FILE)
  const before = await readFile(file, 'utf8').catch(() => null)
  if (before !== null && !before.startsWith(MARK)) return [notOurs(file)]
  const kernel = await importKernel(app.root)
  const classes = await ExportedClasses.of(
    app,
    app.routes.flatMap(({ options }) => {
      const methods = kernel.methodsOf(options.config?.svc)
      return methods === null ? [] : [methods.http ?? methods.websocket].filter((method) => method !== null)
    })
  )
  const security = securityOf(app.fastify)
  const { lines, problems } = routeLines(app.routes, {
    kernel,
    className: (method) => classes.name(method.Class),
    hasZone: (path) => security?.zoneOf(path) != null
  })
  const text = mapText({ mark: MARK, imports: classes.imports(), lines })
  if (text !== before) await writeFile(file, text)
  return [...classes.problems, ...problems]
}

type Class = ControllerMethod['Class']

/** Classes by the names that the map imports them under. */
class ExportedClasses {
  readonly problems: Problem[] = []
  readonly #imports = new Map<Class, { readonly exported: string; readonly name: string; readonly file: string }>()
  readonly #names = new Set<string>()

  static async of(app: MappedApplication, methods: readonly ControllerMethod[]): Promise<ExportedClasses> {
    const classes = new ExportedClasses()
    const sources = new Map(methods.map(({ Class, source }) => [Class, source]))
    for (const [Class, source] of sources) await classes.#add(app, Class, source)
    return classes
  }

  name(Class: Class): string | null {
    return this.#imports.get(Class)?.name ?? null
  }

  imports(): string[] {
    const lines = [...this.#imports.values()].map(({ exported, name, file }) => {
      return `import type { ${exported === name ? name : `${exported} as ${name}`} } from '${file}'`
    })
    return lines.sort()
  }

  async #add({ root, importModule }: MappedApplication, Class: Class, source: string | null): Promise<void> {
    const path = source === null ? null : resolve(root, source.replace(/:\d+$/, ''))
    // What lies outside, such as a controller of a package, is not for the application to import by its path.
    const inside = path?.startsWith(root + sep) === true && !path.includes(`${sep}node_modules${sep}`)
    const found = inside ? Object.entries(await importModule(path).catch(() => ({}))) : []
    const exported = found.find(([, value]) => value === Class)?.[0]
    if (path === null || exported === undefined) {
      this.problems.push(notExported(Class, source))
      return
    }
    const file = `./${relative(root, path)
      .replaceAll(sep, '/')
      .replace(/\.([cm]?)ts$/, '.$1js')}`
    this.#imports.set(Class, { exported, name: this.#free(exported === 'default' ? Class.name : exported), file })
  }

  #free(wanted: string): string {
    let name = wanted
    for (let number = 2; this.#names.has(name); number += 1) name = `${wanted}${number}`
    this.#names.add(name)
    return name
  }
}

function notExported(Class: Class, source: string | null): Problem {
  return {
    code: 'SVC_CLIENT_CLASS',
    message: `the file of ${Class.name} does not export it: answers and bodies without a schema are unknown to the client`,
    at: source ?? undefined,
    expected: `export class ${Class.name}`,
    fix: 'export the class, or give its routes schemas'
  }
}

function notOurs(file: string): Problem {
  return {
    code: 'SVC_CLIENT_MAP',
    message: `${FILE} is a file of yours: the map of routes is not written`,
    at: file,
    fix: `rename your ${FILE}`
  }
}
