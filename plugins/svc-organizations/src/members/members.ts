/** Members of an organisation: listed, given another role, removed. Nobody reaches above the own role, and an owner stays. */
import { randomId } from 'svc-kernel/plugin'
import { DuplicateRecord } from 'svc-stores'
import { AlreadyMember, LastOwner, MemberNotFound, RoleAboveOwn, UnknownRole } from '../errors.ts'
import { endMember } from '../lifecycle/endings.ts'
import type { AskedUser } from '../options.ts'
import type { OrganizationParts } from '../organization-parts.ts'
import type { MembershipRecord } from '../records/membership-store.ts'
import { OWNER, type Rights } from '../roles/organization-roles.ts'

/** A member as lists show it. Times are epoch ms. */
export interface MemberView {
  readonly id: string
  readonly userId: string
  readonly identifier: string
  readonly role: string
  readonly permissions: readonly string[]
  readonly active: boolean
  readonly joinedAt: number
}

/** The application itself, which no role bounds. */
export const APPLICATION: Rights = { owner: true, permissions: new Set() }

export class Members {
  readonly #parts: OrganizationParts

  constructor(parts: OrganizationParts) {
    this.#parts = parts
  }

  async list(organizationId: string, limit: number, offset: number): Promise<readonly MemberView[]> {
    const found = await this.#parts.stores.memberships.list(organizationId, limit, offset)
    return found.map((membership) => this.view(membership))
  }

  /** How many each of these organisations has, by its id. */
  counts(organizationIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#parts.stores.memberships.counts(organizationIds)
  }

  view({ id, userId, identifier, role, active, createdAt }: MembershipRecord): MemberView {
    return { id, userId, identifier, role, permissions: [...this.#parts.roles.of(role)], active, joinedAt: createdAt }
  }

  /** @throws UnknownRole (400), RoleAboveOwn (403) */
  check(own: Rights, role: string): void {
    const { roles } = this.#parts
    if (!roles.has(role)) throw new UnknownRole(role, roles.names.join(', '))
    if (!roles.reaches(own, role)) throw new RoleAboveOwn()
  }

  /** @throws UnknownRole (400), RoleAboveOwn (403), AlreadyMember (409) */
  async add(
    organizationId: string,
    user: AskedUser,
    role: string,
    own: Rights = APPLICATION,
    more: Partial<Pick<MembershipRecord, 'externalId' | 'profile' | 'provisioned'>> = {}
  ): Promise<MembershipRecord> {
    this.check(own, role)
    const { stores, clock, audit } = this.#parts
    const createdAt = clock.now()
    const record: MembershipRecord = {
      id: randomId('mem'),
      organizationId,
      userId: user.id,
      identifier: user.identifier,
      role,
      active: true,
      provisioned: false,
      externalId: null,
      profile: {},
      ...more,
      createdAt,
      updatedAt: createdAt
    }
    try {
      await stores.memberships.create(record)
    } catch (error) {
      throw error instanceof DuplicateRecord ? new AlreadyMember() : error
    }
    if (role === OWNER) await stores.organizations.addOwner(organizationId)
    audit('organization.member_added', organizationId, { member: user.identifier, role })
    return record
  }

  /** @throws MemberNotFound (404), UnknownRole (400), RoleAboveOwn (403), LastOwner (409) */
  async setRole(organizationId: string, id: string, role: string, own: Rights): Promise<MembershipRecord> {
    const before = await this.#reached(organizationId, id, own)
    this.check(own, role)
    if (before.role === role) return before
    const { stores, audit } = this.#parts
    // Who is deprovisioned is not counted.
    const counted = before.active && before.role === OWNER
    if (counted) await this.#release(organizationId)
    const after = await stores.memberships.change(organizationId, id, { role }, before.role)
    if (after === null) {
      if (counted) await stores.organizations.addOwner(organizationId)
      throw new MemberNotFound()
    }
    if (role === OWNER && before.active) await stores.organizations.addOwner(organizationId)
    audit('organization.member_role', organizationId, { member: before.identifier, before: before.role, after: role })
    return after
  }

  /** Ends everything that let the user in. @throws MemberNotFound (404), RoleAboveOwn (403), LastOwner (409) */
  async remove(organizationId: string, id: string, own: Rights, reason = 'removed'): Promise<void> {
    const before = await this.#reached(organizationId, id, own)
    const { stores, audit } = this.#parts
    const counted = before.active && before.role === OWNER
    if (counted) await this.#release(organizationId)
    const removed = await stores.memberships.remove(organizationId, id, before.role)
    if (removed === null) {
      if (counted) await stores.organizations.addOwner(organizationId)
      throw new MemberNotFound()
    }
    audit('organization.member_removed', organizationId, { member: before.identifier, reason })
    await endMember(this.#parts, removed, reason)
  }

  /**
   * Deprovisions a member, which ends everything that let the user in, or lets the member back in.
   *
   * @throws MemberNotFound (404), LastOwner (409)
   */
  async setActive(organizationId: string, id: string, active: boolean): Promise<MembershipRecord> {
    const { stores, audit } = this.#parts
    const before = await this.#reached(organizationId, id, APPLICATION)
    if (before.active === active) return before
    if (!active && before.role === OWNER) await this.#release(organizationId)
    const after = await stores.memberships.change(organizationId, id, { active }, before.role)
    if (after === null) throw new MemberNotFound()
    if (active && before.role === OWNER) await stores.organizations.addOwner(organizationId)
    const action = active ? 'organization.member_provisioned' : 'organization.member_deprovisioned'
    audit(action, organizationId, { member: before.identifier })
    if (!active) await endMember(this.#parts, after, 'deprovisioned')
    return after
  }

  /** One's own membership. @throws LastOwner (409) */
  leave(organizationId: string, id: string): Promise<void> {
    return this.remove(organizationId, id, APPLICATION, 'left')
  }

  async #reached(organizationId: string, id: string, own: Rights): Promise<MembershipRecord> {
    const found = await this.#parts.stores.memberships.find(organizationId, id)
    if (found === null) throw new MemberNotFound()
    if (!this.#parts.roles.reaches(own, found.role)) throw new RoleAboveOwn()
    return found
  }

  async #release(organizationId: string): Promise<void> {
    if (!(await this.#parts.stores.organizations.releaseOwner(organizationId))) throw new LastOwner()
  }
}
