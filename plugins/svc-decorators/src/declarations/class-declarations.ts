/**
 * Where declarations live: under one symbol of the class itself. The symbol is
 * shared by name, so that two copies of this package read the same class alike.
 */
import type { ClassDeclarations, MethodDeclarations } from './declarations.ts'

const key = Symbol.for('svc.declarations')

// biome-ignore lint/suspicious/noExplicitAny: a controller's constructor takes what it likes
export type ControllerClass = new (...args: any[]) => object

interface Declared {
  [key]?: ClassDeclarations
}

/** The class's own declarations, without those of its bases; `null` when no decorator touched it. */
export function ownDeclarations(target: object): ClassDeclarations | null {
  return Object.hasOwn(target, key) ? ((target as Declared)[key] ?? null) : null
}

/** The class's own declarations, made when it has none yet. */
export function declarationsOf(target: object): ClassDeclarations {
  const found = ownDeclarations(target)
  if (found !== null) return found
  const made: ClassDeclarations = {
    controller: null,
    guards: [],
    anonymous: null,
    bypassFirewall: null,
    methods: new Map(),
    misplaced: []
  }
  Object.defineProperty(target, key, { value: made })
  return made
}

export function methodDeclarationsOf(prototype: object, name: string | symbol): MethodDeclarations {
  const { methods } = declarationsOf(prototype.constructor)
  let found = methods.get(name)
  if (found === undefined) {
    found = { routes: [], guards: [], anonymous: null, bypassFirewall: null, parameters: new Map() }
    methods.set(name, found)
  }
  return found
}
