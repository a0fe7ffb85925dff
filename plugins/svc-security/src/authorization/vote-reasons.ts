/**
 * What the built-in voters say about their votes: sentences for explanations, made when somebody looks and never for a
 * decision. Pure.
 */
import type { AccessToken } from 'svc-kernel'
import type { RoleHierarchy } from './role-hierarchy.ts'
import { Vote } from './voter.ts'

/** Names of roles in a sentence: a hierarchy may have hundreds. */
const MOST_NAMES = 8

export function roleReason({ user }: AccessToken, role: string, vote: Vote, hierarchy: RoleHierarchy): string {
  const own = user.roles.filter((each) => typeof each === 'string')
  const who = user.identifier
  if (vote === Vote.GRANT) {
    const by = own.find((each) => each === role) ?? own.find((each) => hierarchy.grants([each], role))
    return by === role ? `${who} has ${role}` : `${who} has ${by}, which inherits ${role}`
  }
  const heirs = hierarchy.granting(role)
  const missing = `${role} is missing: ${who} has ${own.length === 0 ? 'no role' : listed(own)}`
  return `${missing}; ${heirs.length === 0 ? 'no role inherits it' : `${listed(heirs)} ${heirs.length === 1 ? 'inherits' : 'inherit'} it`}`
}

export function scopeReason({ user, scopes }: AccessToken, scope: string, vote: Vote): string {
  const own: readonly string[] = Array.isArray(scopes) ? scopes : []
  if (vote !== Vote.GRANT) {
    return `the scope ${scope} is missing: the credential of ${user.identifier} has ${own.length === 0 ? 'none' : listed(own)}`
  }
  return own.includes(scope) ? `${scope} is a scope of the credential` : 'scopes do not limit the login of a person'
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES)
  const more = names.length - shown.length
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`
}
