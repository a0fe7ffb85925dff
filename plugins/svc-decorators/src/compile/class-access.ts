/**
 * How guards, `@Anonymous` and `@BypassFirewall` add up: over the levels of a
 * class hierarchy first, then of class and method. A level adds guards and
 * never takes one away, so an override is never silently public. Pure.
 */
import type { Requirement } from 'svc-kernel'
import type { Clause } from 'svc-kernel/plugin'
import type { GuardDeclaration, MarkDeclaration } from '../declarations/declarations.ts'

/** What is declared at one place, or over all levels of a hierarchy. */
export interface DeclaredAccess {
  readonly guards: readonly GuardDeclaration[]
  readonly anonymous: MarkDeclaration | null
  readonly bypassFirewall: MarkDeclaration | null
}

/** The declared access of a hierarchy, with a contradiction where levels disagree. */
export interface InheritedAccess extends DeclaredAccess {
  readonly conflict: Conflict | null
}

/** A mark that says "public" beside a guard that says "not". */
export interface Conflict {
  readonly mark: MarkDeclaration
  readonly guard: GuardDeclaration
}

/** What a route asks in the end. */
export interface RouteAccess {
  readonly requirement: Requirement | null
  readonly anonymous: boolean
  readonly bypassFirewall: boolean
  readonly conflict: Conflict | null
}

export const NO_ACCESS: InheritedAccess = Object.freeze({
  guards: [],
  anonymous: null,
  bypassFirewall: null,
  conflict: null
})

/** Adds a level. A guard below an inherited `@Anonymous` is effective; `@Anonymous` over a guard is a conflict. */
export function inheritAccess(base: InheritedAccess, own: DeclaredAccess): InheritedAccess {
  const guards = [...base.guards, ...own.guards]
  const guard = guards.at(-1)
  return {
    guards,
    anonymous: own.anonymous ?? (own.guards.length > 0 ? null : base.anonymous),
    bypassFirewall: own.bypassFirewall ?? base.bypassFirewall,
    conflict: own.anonymous !== null && guard !== undefined ? { mark: own.anonymous, guard } : base.conflict
  }
}

/** Merges class and method: `@Anonymous` of the method overrides class guards, else all guards are one AND. */
export function routeAccess(onClass: InheritedAccess, onMethod: InheritedAccess): RouteAccess {
  const bypass = onMethod.bypassFirewall ?? onClass.bypassFirewall
  const overridden = onMethod.anonymous !== null
  const guards = overridden ? onMethod.guards : [...onClass.guards, ...onMethod.guards]
  const guard = guards.at(-1)
  return {
    requirement: guard === undefined ? null : mergeGuards(guards),
    anonymous: guard === undefined && (overridden || onClass.anonymous !== null),
    bypassFirewall: bypass !== null,
    conflict: onMethod.conflict ?? (bypass !== null && guard !== undefined ? { mark: bypass, guard } : null)
  }
}

/** One clause per guard, the same clause once, whatever the order in which it was written. */
function mergeGuards(guards: readonly GuardDeclaration[]): Requirement {
  const clauses = new Map<string, Clause>()
  for (const guard of guards) {
    const { subject } = guard.options
    const clause = [...new Set(guard.attributes)].map((attribute) =>
      Object.freeze({
        attribute: String(attribute),
        ...(subject === undefined ? {} : { subject: String(subject) })
      })
    )
    const identity = JSON.stringify(clause.map(({ attribute, subject }) => [attribute, subject]).sort())
    if (!clauses.has(identity)) clauses.set(identity, Object.freeze(clause))
  }
  return Object.freeze([...clauses.values()])
}
