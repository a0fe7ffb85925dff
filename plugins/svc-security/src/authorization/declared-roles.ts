/**
 * The roles that users may get, where the option `declaredRoles` asks for it: its own, those of the hierarchy, and those that a
 * guard names. A misspelt role then reaches no user, whichever way it comes. Without the option every role is taken.
 */
import type { Requirement } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import { UnknownRole } from '../errors.ts'
import { knownRoles } from './known-roles.ts'

export interface RoleDeclarations {
  /** `undefined` takes every role. */
  readonly declared: readonly string[] | undefined
  readonly hierarchy: () => readonly string[]
  /** Routes as they are declared by now. */
  readonly guarded: () => ReadonlyArray<{ readonly requirement: Requirement | null }>
}

/** @returns a check that throws UnknownRole (SVC_SEC_ROLE_UNKNOWN, 400), with all unknown roles and those that are known */
export function roleCheck({ declared, hierarchy, guarded }: RoleDeclarations): (roles: readonly string[]) => void {
  return (roles) => {
    if (declared === undefined) return
    const known = knownRoles(guarded(), [...hierarchy(), ...declared])
    const unknown = roles.filter((role) => !known.includes(role))
    if (unknown.length === 0) return
    const near = unknown.map((role) => nearestName(role, known)).filter((role) => role !== undefined)
    const hint = near.length === 0 ? '' : ` (did you mean ${near.join(', ')}?)`
    throw new UnknownRole(`${unknown.join(', ')}${hint}`, known.join(', '))
  }
}
