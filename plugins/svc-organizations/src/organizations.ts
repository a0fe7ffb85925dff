/** `fastify.organizations`: organisations and their members, for routes and work of the application. */
import type { AccessToken } from 'svc-kernel'
import { entryTo, type OrganizationEntry } from './active/organization-entry.ts'
import type { OrganizationDomains } from './domains/organization-domains.ts'
import { SectionOff } from './errors.ts'
import type { OrganizationKeys } from './keys/organization-keys.ts'
import type { OrganizationData, OrganizationPart } from './lifecycle/data-parts.ts'
import type { OrganizationDeletion } from './lifecycle/deletion.ts'
import type { Lifecycle, NewOrganization } from './lifecycle/lifecycle.ts'
import type { MemberInvitations, NewMemberInvitation } from './members/invitations.ts'
import { APPLICATION, type Members, type MemberView } from './members/members.ts'
import type { OwnershipTransfer } from './members/transfer.ts'
import type { AskedUser } from './options.ts'
import type { OrganizationParts } from './organization-parts.ts'
import type { OrganizationRecord } from './records/organization-store.ts'

/** An organisation as the application sees it. Times are epoch ms. */
export interface OrganizationView {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** `closing`: it is in the days of grace before its deletion. */
  readonly state: 'active' | 'suspended' | 'closing'
  readonly suspendedReason: string | null
  readonly deleteAt: number | null
  readonly createdAt: number
}

/** An organisation of a user, with what the user may there. */
export interface OrganizationOfUser extends OrganizationView {
  readonly member: string
  readonly role: string
  readonly permissions: readonly string[]
}

/** The sections that are on. */
export interface Sections {
  readonly lifecycle: Lifecycle
  readonly members: Members
  readonly data: OrganizationData
  readonly within: <T>(id: string, work: () => T) => T
  readonly invitations: MemberInvitations | null
  readonly transfer: OwnershipTransfer | null
  readonly deletion: OrganizationDeletion | null
  readonly keys: OrganizationKeys | null
  readonly domains: OrganizationDomains | null
}

/** `fastify.organizations`. */
export class Organizations {
  /** The parameter of paths that names an organisation. */
  readonly pathParameter: string
  readonly #parts: OrganizationParts
  readonly #sections: Sections

  constructor(parts: OrganizationParts, sections: Sections) {
    this.pathParameter = parts.config.active.path
    this.#parts = parts
    this.#sections = sections
  }

  /** Keys of organisations, of which `create` takes the rights of who asks; `null` where they are off. */
  get keys(): OrganizationKeys | null {
    return this.#sections.keys
  }

  /** @param owner as `fastify.userAccounts.find` returns it @throws SlugTaken (409) */
  async create(owner: AskedUser, organization: NewOrganization): Promise<OrganizationView> {
    return viewOf(await this.#sections.lifecycle.create(owner, organization, null))
  }

  /** @param name id or slug */
  async find(name: string): Promise<OrganizationView | null> {
    const found = await this.#parts.actives.named(name)
    return found && viewOf(found)
  }

  /** Whether a caller is admitted to an organisation, and why not: for explanations. @param name id or slug @param closing as `config.organization` of a route */
  async entry(token: AccessToken | null, name: string, closing: boolean): Promise<OrganizationEntry> {
    return entryTo(this.#parts.actives, token, name, closing)
  }

  /** Those of a user, at most 1000, with the role and the permissions that the user has there. */
  async of(user: Pick<AskedUser, 'id'>): Promise<readonly OrganizationOfUser[]> {
    const { stores, roles } = this.#parts
    const memberships = (await stores.memberships.ofUser(user.id)).filter(({ active }) => active)
    const records = await stores.organizations.findAll(memberships.map(({ organizationId }) => organizationId))
    return memberships.flatMap(({ id: member, organizationId, role }) => {
      const record = records.find(({ id }) => id === organizationId)
      return record === undefined ? [] : [{ ...viewOf(record), member, role, permissions: [...roles.of(role)] }]
    })
  }

  /** In order of their joining. @param limit 1 to 1000; default 100 */
  members(id: string, { limit = 100, offset = 0 } = {}): Promise<readonly MemberView[]> {
    return this.#sections.members.list(id, limit, offset)
  }

  /** Adds a member without an invitation. @throws UnknownRole (400), AlreadyMember (409) */
  async addMember(id: string, user: AskedUser, role: string): Promise<MemberView> {
    const { members } = this.#sections
    return members.view(await members.add(id, user, role))
  }

  /** Ends everything that let the user in. @param member id of the membership @throws MemberNotFound (404), LastOwner (409) */
  async removeMember(id: string, member: string): Promise<void> {
    await this.#sections.members.remove(id, member, APPLICATION)
  }

  /** Mails an invitation. @throws UnknownRole (400), TooManyMembers (409), LimitExceeded (429), SectionOff */
  async invite(id: string, invitation: NewMemberInvitation, by: string): Promise<void> {
    const { invitations } = this.#sections
    if (invitations === null) throw new SectionOff('invitations')
    await invitations.invite(id, invitation, { own: APPLICATION, name: by })
  }

  /** Closes every door of an organisation at once, and ends its sockets and jobs. @throws OrganizationNotFound (404) */
  async suspend(id: string, reason: string): Promise<OrganizationView> {
    return viewOf(await this.#sections.lifecycle.suspend(id, reason))
  }

  /** @throws OrganizationNotFound (404) */
  async resume(id: string): Promise<OrganizationView> {
    return viewOf(await this.#sections.lifecycle.resume(id))
  }

  /**
   * Runs work in the name of an organisation, for a schedule, a script or a route of administrators: rows with the scope
   * `organization` are those of it, and jobs that it adds run there.
   */
  within<T>(id: string, work: () => T): T {
    return this.#sections.within(id, work)
  }

  /**
   * Adds a part to the data of organisations: to the export before a deletion, and to the erasure. Called while plugins
   * register.
   *
   * @param name its key in the archive @throws PartTaken
   */
  describe(name: string, part: OrganizationPart): void {
    this.#sections.data.add(name, part)
  }
}

export function viewOf(record: OrganizationRecord): OrganizationView {
  const { id, slug, name, suspendedAt, suspendedReason, deleteAt, createdAt } = record
  const state = suspendedAt !== null ? 'suspended' : deleteAt !== null ? 'closing' : 'active'
  return { id, slug, name, state, suspendedReason, deleteAt, createdAt }
}
