/**
 * What a change of a user's rights keeps: an application is never left without an administrator, a machine makes none and
 * passes on nothing that its own user lacks, and a role that nothing asks for is named in the answer.
 */
import type { AccessToken } from 'svc-kernel'
import { isMachine, nearestName } from 'svc-kernel/plugin'
import { RoleHierarchy } from '../authorization/role-hierarchy.ts'
import { BeyondOwnRights, LastAdministrator, UserNotFound } from '../errors.ts'
import type { UserAccounts } from '../users/user-accounts.ts'
import type { UserSummary } from '../users/user-store.ts'

export interface RightsParts {
  readonly accounts: Pick<UserAccounts, 'countAdministrators'>
  readonly roleHierarchy: Readonly<Record<string, readonly string[]>>
  /** Roles by which a user administers the application. */
  readonly adminRoles: readonly string[]
}

export type Rights = Pick<UserSummary, 'roles' | 'enabled' | 'locked'>

/**
 * Whether a caller may give a user these roles. A machine acts for its user, and what it makes could outlive it.
 *
 * @throws BeyondOwnRights (403)
 */
export function checkGrant(
  token: AccessToken | null,
  gained: readonly string[],
  { adminRoles, roleHierarchy }: Omit<RightsParts, 'accounts'>
): void {
  if (token === null || !isMachine(token)) return
  if (gained.some((role) => adminRoles.includes(role)))
    throw new BeyondOwnRights('a machine may not create administrators')
  const hierarchy = new RoleHierarchy(roleHierarchy)
  if (gained.every((role) => hierarchy.grants(token.user.roles, role))) return
  throw new BeyondOwnRights('a machine may not grant a role that its user does not have')
}

/**
 * Changes a user. Of two changes at once each may find another administrator beforehand: one that finds none afterwards
 * is taken back.
 *
 * @throws UserNotFound (404), LastAdministrator (409) for a change after which nobody could undo it
 */
export async function keepingAdministrator(
  { accounts, adminRoles }: RightsParts,
  before: Rights,
  after: Rights,
  change: (rights: Rights) => Promise<boolean>
): Promise<void> {
  const isLoss = administers(before, adminRoles) && !administers(after, adminRoles)
  if (isLoss && (await accounts.countAdministrators(adminRoles)) <= 1) throw new LastAdministrator()
  if (!(await change(after))) throw new UserNotFound()
  if (!isLoss || (await accounts.countAdministrators(adminRoles)) > 0) return
  await change(before)
  throw new LastAdministrator()
}

/** @throws LastAdministrator (409) for a user without whom nobody could administer the application */
export async function checkLeaving(
  { accounts, adminRoles }: Omit<RightsParts, 'roleHierarchy'>,
  user: Rights
): Promise<void> {
  if (administers(user, adminRoles) && (await accounts.countAdministrators(adminRoles)) <= 1)
    throw new LastAdministrator()
}

function administers({ roles, enabled, locked }: Rights, adminRoles: readonly string[]): boolean {
  return enabled && !locked && roles.some((role) => adminRoles.includes(role))
}

/** A sentence for each role that no guard and no hierarchy names, as a misspelt one is. @param known sorted */
export function roleWarnings(roles: readonly string[], known: readonly string[]): string[] {
  return roles
    .filter((role) => !known.includes(role))
    .map((role) => {
      const near = nearestName(role, known)
      return `no guard and no role hierarchy uses ${role}${near === undefined ? '' : ` (did you mean ${near}?)`}`
    })
}
