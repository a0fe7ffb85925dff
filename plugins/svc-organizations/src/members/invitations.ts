/**
 * Invitations to an organisation. To accept one takes both: the secret of the mail, and an account whose proven address is
 * the invited one. A link that was forwarded, or an account that only claims the address, gets in nowhere.
 */
import { hash, randomBytes } from 'node:crypto'
import { LimitExceeded } from 'svc-kernel'
import type { Mail } from 'svc-mail'
import {
  AlreadyMember,
  InvalidInvitation,
  InvitationNotFound,
  OrganizationNotFound,
  TooManyMembers
} from '../errors.ts'
import type { AskedUser, OrganizationsConfig } from '../options.ts'
import { DAY_MS, type OrganizationParts } from '../organization-parts.ts'
import type { OrganizationInvitation } from '../records/invitation-store.ts'
import type { MembershipRecord } from '../records/membership-store.ts'
import type { Rights } from '../roles/organization-roles.ts'
import type { InvitationMail } from './invitation-mail.ts'
import { APPLICATION, type Members } from './members.ts'

export const INVITATION_LIMIT = 'svc.organizations.invitations'

/** Whom to invite, as what. */
export interface NewMemberInvitation {
  readonly address: string
  readonly role: string
}

/** The most that are listed. */
const MOST_LISTED = 1000

export interface InvitationParts extends OrganizationParts {
  readonly members: Members
  readonly section: NonNullable<OrganizationsConfig['invitations']>
  readonly mailOf: InvitationMail
  readonly sender: Pick<Mail, 'send'>
  /** Reads an address as svc-mail writes it. @throws as svc-mail does */
  readonly readAddress: (text: string) => string
}

export class MemberInvitations {
  readonly #parts: InvitationParts

  constructor(parts: InvitationParts) {
    this.#parts = parts
  }

  /**
   * Of one address, the newest invitation holds.
   *
   * @throws UnknownRole (400), RoleAboveOwn (403), TooManyMembers (409), LimitExceeded (429), JobsUnavailable (503)
   */
  async invite(organizationId: string, given: NewMemberInvitation, by: { own: Rights; name: string }): Promise<void> {
    const { members, stores, limits, section, clock, sender, mailOf, audit } = this.#parts
    members.check(by.own, given.role)
    const address = this.#parts.readAddress(given.address)
    const organization = await stores.organizations.find(organizationId)
    if (organization === null) throw new OrganizationNotFound()
    await this.#checkRoom(organizationId)
    const spent = await limits.take(INVITATION_LIMIT, organizationId)
    if (!spent.taken) throw new LimitExceeded(String(spent.retryAfterS))
    const secret = randomBytes(32).toString('base64url')
    const createdAt = clock.now()
    const expiresAt = createdAt + section.days * DAY_MS
    await stores.organizationInvitations.put({
      id: hash('sha256', `${organizationId}\n${address}`, 'base64url'),
      organizationId,
      address,
      role: given.role,
      hash: hashOf(secret),
      invitedBy: by.name,
      createdAt,
      expiresAt
    })
    const { id, name } = organization
    const link = `${section.link.replace(/\/+$/, '')}#${secret}`
    const data = { address, link, organization: { id, name }, role: given.role, invitedBy: by.name, expiresAt }
    await sender.send({ to: address, ...mailOf(data) })
    audit('organization.invited', organizationId, { address, role: given.role })
  }

  /** The newest 1000 that are open. */
  list(organizationId: string): Promise<readonly OrganizationInvitation[]> {
    return this.#parts.stores.organizationInvitations.list(organizationId, MOST_LISTED)
  }

  /** @throws InvitationNotFound (404) */
  async revoke(organizationId: string, id: string): Promise<void> {
    const { stores, audit } = this.#parts
    if (!(await stores.organizationInvitations.remove(organizationId, id))) throw new InvitationNotFound()
    audit('organization.invitation_revoked', organizationId, { id })
  }

  /** @throws InvalidInvitation (400), AlreadyMember (409), with one text whatever the cause */
  async accept(user: AskedUser, secret: string): Promise<MembershipRecord> {
    const { stores, members, provenAddress } = this.#parts
    const seen = await stores.organizationInvitations.find(hashOf(secret))
    const proven = await provenAddress(user)
    // Compared before it is used up, so that a wrong account does not spend the link of the right one.
    if (seen === null || proven === null || proven.normalize('NFC') !== seen.address) throw new InvalidInvitation()
    const organization = await stores.organizations.find(seen.organizationId)
    if (organization === null || organization.suspendedAt !== null || organization.deleteAt !== null) {
      throw new InvalidInvitation()
    }
    const taken = await stores.organizationInvitations.take(hashOf(secret))
    if (taken === null) throw new InvalidInvitation()
    try {
      return await members.add(taken.organizationId, user, taken.role, APPLICATION)
    } catch (error) {
      if (!(error instanceof AlreadyMember)) await stores.organizationInvitations.restore(taken).catch(() => undefined)
      throw error
    }
  }

  async #checkRoom(organizationId: string): Promise<void> {
    const { stores, section } = this.#parts
    const { maxMembers } = section
    const [members, open] = await Promise.all([
      stores.memberships.list(organizationId, maxMembers, 0),
      stores.organizationInvitations.list(organizationId, maxMembers)
    ])
    if (members.length + open.length >= maxMembers) throw new TooManyMembers(String(maxMembers))
  }
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}
