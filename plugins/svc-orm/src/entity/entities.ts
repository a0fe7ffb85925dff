/**
 * `@entities`: declares entities while their files load. Declarations are of the
 * process, kept in generations like the other registries, and closed while an
 * application that was built from them is open.
 */
import { Registry } from 'svc-kernel'
import { declarationSite } from './declaration-site.ts'
import type { Declared, EntitySource } from './declared.ts'

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
      // What is not there yet, as files import each other, is told with its place when the application boots.
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
