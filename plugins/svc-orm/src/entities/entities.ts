/**
 * `@entities`: declares entities while their files load. Declarations belong to the process, in generations like other
 * registries, and are closed while an application that uses them runs.
 */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Registry } from 'svc-kernel/plugin'
import type { EntityDefinition } from './entity-definition.ts'

/** A class that only its driver can describe, such as a Typegoose model. */
// biome-ignore lint/suspicious/noExplicitAny: a model's constructor takes what it likes
export type NativeClass = abstract new (...args: any[]) => object

/** An entity: a definition, or a class that only its driver can describe, such as a Typegoose model. */
export type EntitySource = EntityDefinition | NativeClass

export interface Declared {
  readonly source: EntitySource
  /** `null`: the default connector, the first one registered. */
  readonly connector: string | null
  /** `file:line`, if the stack has it. */
  readonly place: string | null
}

/** By number, because entities are compared only when their connectors are known. */
const declarations = new Registry<Declared>('entity')

/** Options of a declaration. */
export interface EntitiesOptions {
  /** Name of the connector. Default: the first one registered. */
  readonly connector?: string
}

/**
 * Declares entities: a legacy decorator of any class; in plain JavaScript, call `entities([Article])(class {})`.
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
      // With files that import each other, a source may still be undefined here; the boot reports it with its place.
      const name = `${declarations.names().length + 1}. ${source?.name}`
      declarations.register(name, { source, connector: connector ?? null, place })
    }
  }
}

/** Everything declared so far. */
export function declaredEntities(): readonly Declared[] {
  return declarations.names().flatMap((name) => declarations.get(name) ?? [])
}

/** Closes the declarations for a booted application; call the result when it closes. */
export function sealDeclarations(): () => void {
  return declarations.seal()
}

/**
 * The place of a declaration, read from the stack once at load, with source maps if the runtime uses them.
 *
 * @param declare the function whose caller is the declaration
 * @returns `file:line`, relative to the working directory if below it; `null` if the stack does not tell
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

/** Relative to the working directory if below it. */
export function readablePath(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') ? path : near
}
