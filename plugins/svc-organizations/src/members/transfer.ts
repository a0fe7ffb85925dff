/** Transfer of the ownership: an owner offers it to a member, who accepts. Until then nothing changes. */
import { MemberNotFound, OrganizationNotFound, TransferNotFound } from '../errors.ts'
import type { OrganizationParts } from '../organization-parts.ts'
import type { MembershipRecord } from '../records/membership-store.ts'
import { OWNER } from '../roles/organization-roles.ts'
import { APPLICATION, type Members } from './members.ts'

export class OwnershipTransfer {
  readonly #parts: OrganizationParts & { readonly members: Members }

  constructor(parts: OrganizationParts & { readonly members: Members }) {
    this.#parts = parts
  }

  /** The newest offer holds. @throws MemberNotFound (404) */
  async offer(from: MembershipRecord, to: string): Promise<void> {
    const { stores, audit } = this.#parts
    const { organizationId } = from
    const member = await stores.memberships.find(organizationId, to)
    if (member === null || !member.active || to === from.id) throw new MemberNotFound()
    await stores.organizations.change(organizationId, { transferTo: to, transferFrom: from.id })
    audit('organization.transfer_offered', organizationId, { member: member.identifier })
  }

  /** In the name of an owner, for an administrator of the application. @throws MemberNotFound (404) also where no active owner gives */
  async offerOf(organizationId: string, from: string, to: string): Promise<void> {
    const owner = await this.#parts.stores.memberships.find(organizationId, from)
    if (owner?.role !== OWNER || !owner.active) throw new MemberNotFound()
    await this.offer(owner, to)
  }

  async withdraw(organizationId: string): Promise<void> {
    await this.#parts.stores.organizations.change(organizationId, { transferTo: null, transferFrom: null })
    this.#parts.audit('organization.transfer_withdrawn', organizationId)
  }

  /** The member becomes an owner, and who offered it gets the role that the member had. @throws TransferNotFound (404) */
  async accept(to: MembershipRecord): Promise<void> {
    const { stores, members, audit } = this.#parts
    const { organizationId } = to
    const offer = await stores.organizations.takeTransfer(organizationId, to.id)
    const from = offer?.transferFrom ?? null
    if (from === null) throw new TransferNotFound()
    const giver = await stores.memberships.find(organizationId, from)
    // Who is no owner any more has nothing to give.
    if (giver?.role !== OWNER || !giver.active) throw new TransferNotFound()
    await members.setRole(organizationId, to.id, OWNER, APPLICATION)
    if (to.role !== OWNER) await members.setRole(organizationId, from, to.role, APPLICATION)
    audit('organization.transferred', organizationId, { from: giver.identifier, to: to.identifier })
  }

  /** The membership to which it is offered; `null` without an offer. @throws OrganizationNotFound (404) */
  async open(organizationId: string): Promise<string | null> {
    const organization = await this.#parts.stores.organizations.find(organizationId)
    if (organization === null) throw new OrganizationNotFound()
    return organization.transferTo
  }
}
