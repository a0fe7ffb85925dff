/**
 * `@entities`: declares entities while their files load. Declarations are of the
 * process, kept in generations like the other registries, and closed while an
 * application that was built from them is open.
 */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Registry } from 'svc-kernel'
import type { EntityDefinition } from './entity-definition.ts'

/** A class of the driver's own world, such as a Typegoose model: only its driver can describe it. */
// biome-ignore lint/suspicious/noExplicitAny: a model's constructor takes what it likes
export type NativeClass = abstract new (...args: any[]) => object

export type EntitySource = EntityDefinition | NativeClass

export interface Declared {
  readonly source: EntitySource
  /** `null`: the default connector, the first one registered. */
  readonly connector: string | null
  /** `file:line`, when the stack has it. */
  readonly place: string | null
}

/** Numbered: what makes two entities one is known only when their connectors are. */
const declarations = new Registry<Declared>('entity')

export interface EntitiesOptions {
  /** Name of the connector that keeps them. Default: the first one registered. */
  readonly connector?: string
}

/**
 * Declares entities, as a legacy decorator of any class; plain JavaScript calls `entities([Article])(class {})`.
 *
 * @param sources definitions, or classes that the connector's driver describes
 * @throws RegistrySealed after an application has booted
 */
export function entities(
  sources: readonly EntitySource[],
  { connector }: EntitiesOptions = {}
): (target: object) => void {
  const place = declarationSite(entities)
  return () => {
    for (const source of sources) {
      // What is not there yet, as files import each other, is reported with its place when the application boots.
      const name = `${declarations.names().length + 1}. ${source?.name}`
      declarations.register(name, { source, connector: connector ?? null, place })
    }
  }
}

/** What was declared so far. */
export function declaredEntities(): readonly Declared[] {
  return declarations.names().flatMap((name) => declarations.get(name) ?? [])
}

/** Closes the declarations for an application that has booted; call the result when it closes. */
export function sealDeclarations(): () => void {
  return declarations.seal()
}

/**
 * Where a declaration is written, read from the stack once at load; source maps included, as the runtime shows it.
 *
 * @param declare the function whose caller is asked for
 * @returns `file:line`, relative to the working directory when it lies below it; `null` when the stack does not tell
 */
function declarationSite(declare: (...args: never[]) => unknown): string | null {
  const holder: { stack?: unknown } = {}
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 1
  Error.captureStackTrace(holder, declare)
  const { stack } = holder
  Error.stackTraceLimit = limit
  const frame = typeof stack === 'string' ? /^\s+at (?:.*\()?(?:async )?(.+?):(\d+):\d+\)?$/m.exec(stack) : null
  if (frame === null) return null
  const [, file = '', line = ''] = frame
  return `${readablePath(file.startsWith('file:') ? fileURLToPath(file) : file)}:${line}`
}

/** Relative to the working directory when it lies below it. */
export function readablePath(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') ? path : near
}
