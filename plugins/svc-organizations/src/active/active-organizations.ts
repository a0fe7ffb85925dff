/**
 * Whether a caller works in the name of an organisation, and what it may do there. An organisation that does not exist and
 * one to which the caller does not belong get the same answer; one that is suspended or being deleted admits nobody.
 */
import { type AccessToken, ANONYMOUS } from 'svc-kernel'
import { isMachine } from 'svc-kernel/plugin'
import { OrganizationClosing, OrganizationNotFound, OrganizationSuspended } from '../errors.ts'
import type { MembershipRecord, MembershipStore } from '../records/membership-store.ts'
import type { OrganizationRecord, OrganizationStore } from '../records/organization-store.ts'
import { MEMBER, type OrganizationRoles, OWNER, type Rights } from '../roles/organization-roles.ts'

/** What a caller is and may in an organisation, at the moment when it was asked. */
export interface ActiveOrganization {
  readonly organization: OrganizationRecord
  /** `null` for a key of the organisation. */
  readonly membership: MembershipRecord | null
  /** Permissions of the role, or those that a key has as scopes. */
  readonly permissions: ReadonlySet<string>
}

export interface ActiveParts {
  readonly organizations: Pick<OrganizationStore, 'find' | 'findBySlug'>
  readonly memberships: Pick<MembershipStore, 'findByUser'>
  readonly roles: OrganizationRoles
  readonly users: { find(identifier: string): Promise<{ readonly id: string } | null> }
}

/** Ids begin with it, and slugs have no `_`. */
export const ID_PREFIX = 'org'

/** Scope of a machine for a permission. */
export const scopeOf = (permission: string): string => `org:${permission}`

/** The user that keys of an organisation act for. Nobody signs in as it. */
export const keyUserOf = (organizationId: string): string => `organization:${organizationId}`

/** The organisation that a key belongs to; `null` for every other credential. */
export function organizationOfKey(token: AccessToken | null): string | null {
  const tenantId = token?.tenantId
  if (typeof tenantId !== 'string') return null
  return token?.user.identifier === keyUserOf(tenantId) ? tenantId : null
}

export class ActiveOrganizations {
  readonly #parts: ActiveParts

  constructor(parts: ActiveParts) {
    this.#parts = parts
  }

  /** @param name id or slug */
  async named(name: string): Promise<OrganizationRecord | null> {
    const { organizations } = this.#parts
    return name.startsWith(`${ID_PREFIX}_`) ? organizations.find(name) : organizations.findBySlug(name)
  }

  /**
   * @param closing whether it may be in the days of grace before its deletion
   * @throws OrganizationNotFound (404), OrganizationSuspended and OrganizationClosing (403)
   */
  async enter(token: AccessToken | null, name: string, closing = false): Promise<ActiveOrganization> {
    const organization = await this.named(name)
    if (organization === null || token === null || token.user === ANONYMOUS) throw new OrganizationNotFound()
    const active = await this.#of(token, organization)
    if (active === null) throw new OrganizationNotFound()
    if (organization.suspendedAt !== null) throw new OrganizationSuspended()
    if (organization.deleteAt !== null && !closing) throw new OrganizationClosing()
    return active
  }

  async #of(token: AccessToken, organization: OrganizationRecord): Promise<ActiveOrganization | null> {
    const { memberships, roles, users } = this.#parts
    const tenant = organizationOfKey(token)
    if (tenant !== null) {
      if (tenant !== organization.id) return null
      const { scopes = [] } = token
      const permissions = new Set(roles.permissions.filter((permission) => scopes.includes(scopeOf(permission))))
      return { organization, membership: null, permissions }
    }
    const user = await users.find(token.user.identifier)
    const membership = user && (await memberships.findByUser(organization.id, user.id))
    if (membership?.active !== true) return null
    return { organization, membership, permissions: roles.of(membership.role) }
  }
}

/** Whether a caller has a permission where it is active: a machine needs its scope besides, keys of organisations have scopes alone. */
export function holds(active: ActiveOrganization, token: AccessToken, permission: string): boolean {
  if (permission === MEMBER) return true
  if (!active.permissions.has(permission)) return false
  return active.membership === null || !isMachine(token) || token.scopes?.includes(scopeOf(permission)) === true
}

/** The rights of a caller where it is active. */
export function rightsOf(active: ActiveOrganization, token: AccessToken): Rights {
  const permissions = new Set([...active.permissions].filter((permission) => holds(active, token, permission)))
  return { owner: active.membership?.role === OWNER && !isMachine(token), permissions }
}
