/**
 * Reads a class with its bases into one picture. An override without
 * decorators keeps the routes, parameters and guards of the method it
 * overrides; own routes replace inherited ones, guards only add up. Pure.
 */

import type {
  ClassDeclarations,
  ControllerDeclaration,
  JobDeclaration,
  LimitDeclaration,
  MethodDeclarations,
  MisplacedDeclaration,
  ParameterDeclaration,
  RouteDeclaration,
  ScheduleDeclaration
} from '../declarations/declarations.ts'
import { type ControllerClass, ownDeclarations } from '../declarations/declarations.ts'
import { type InheritedAccess, inheritAccess, NO_ACCESS } from './class-access.ts'

export interface ResolvedMethod {
  readonly key: string | symbol
  /** `Class.method`, for messages and as default route name. */
  readonly label: string
  /** Number of parameters of the function that will run; `null` when there is no such method. */
  readonly arity: number | null
  readonly routes: readonly RouteDeclaration[]
  readonly jobs: readonly JobDeclaration[]
  readonly schedules: readonly ScheduleDeclaration[]
  readonly parameters: ReadonlyMap<number, ParameterDeclaration>
  readonly access: InheritedAccess
  /** Own and inherited ones: a level adds limits and takes none away. */
  readonly limits: readonly LimitDeclaration[]
}

export interface ResolvedClass {
  readonly Class: ControllerClass
  readonly name: string
  /** The class's own `@controller`: the prefix of a base is not inherited. */
  readonly controller: ControllerDeclaration | null
  readonly access: InheritedAccess
  readonly limits: readonly LimitDeclaration[]
  readonly methods: readonly ResolvedMethod[]
  readonly misplaced: readonly MisplacedDeclaration[]
}

export function resolveClass(Class: ControllerClass): ResolvedClass {
  const name = Class.name || 'anonymous class'
  const levels = declaredLevels(Class)
  const methods = new Map<string | symbol, ResolvedMethod>()
  for (const level of levels) {
    for (const [key, own] of level.methods) {
      const label = `${name}.${String(key)}`
      methods.set(key, resolveMethod(Class, { key, label }, methods.get(key), own))
    }
  }
  return {
    Class,
    name,
    controller: ownDeclarations(Class)?.controller ?? null,
    access: levels.reduce(inheritAccess, NO_ACCESS),
    limits: levels.flatMap(({ limits }) => limits),
    methods: [...methods.values()],
    misplaced: levels.flatMap(({ misplaced }) => misplaced)
  }
}

function resolveMethod(
  Class: ControllerClass,
  { key, label }: Pick<ResolvedMethod, 'key' | 'label'>,
  base: ResolvedMethod | undefined,
  own: MethodDeclarations
): ResolvedMethod {
  const doors = own.routes.length + own.jobs.length + own.schedules.length
  const replaces = doors > 0
  return {
    key,
    label,
    arity: methodArity(Class, key),
    routes: replaces ? own.routes : (base?.routes ?? []),
    jobs: replaces ? own.jobs : (base?.jobs ?? []),
    schedules: replaces ? own.schedules : (base?.schedules ?? []),
    parameters: replaces || own.parameters.size > 0 ? byPosition(own.parameters) : (base?.parameters ?? new Map()),
    access: inheritAccess(base?.access ?? NO_ACCESS, own),
    limits: [...(base?.limits ?? []), ...own.limits]
  }
}

/** Decorators are applied from the last parameter to the first; reported and injected in reading order. */
function byPosition(parameters: MethodDeclarations['parameters']): MethodDeclarations['parameters'] {
  return new Map([...parameters].sort(([a], [b]) => a - b))
}

/** Declarations from the furthest base to the class itself. */
function declaredLevels(Class: ControllerClass): ClassDeclarations[] {
  const levels: ClassDeclarations[] = []
  for (
    let level: object | null = Class;
    typeof level === 'function';
    level = Object.getPrototypeOf(level) as object | null
  ) {
    const own = ownDeclarations(level)
    if (own !== null) levels.unshift(own)
  }
  return levels
}

/** Looked up by descriptor, so that a getter is never run. */
function methodArity(Class: ControllerClass, key: string | symbol): number | null {
  for (
    let level = Class.prototype as object | null;
    level !== null;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    const descriptor = Object.getOwnPropertyDescriptor(level, key)
    if (descriptor !== undefined) return typeof descriptor.value === 'function' ? descriptor.value.length : null
  }
  return null
}
