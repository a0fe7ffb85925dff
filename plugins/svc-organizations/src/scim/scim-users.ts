/**
 * Users of an organisation, as its provisioning system manages them. It makes members of addresses whose domain the
 * organisation has proven, so that no organisation provisions, or signs out, people of another.
 */
import { DuplicateRecord, type JsonObject } from 'svc-stores'
import { domainOf } from '../domains/organization-domains.ts'
import { AlreadyMember, LastOwner } from '../errors.ts'
import type { Members } from '../members/members.ts'
import type { AskedUser } from '../options.ts'
import type { OrganizationParts } from '../organization-parts.ts'
import type { DomainRecord } from '../records/domain-store.ts'
import type { MembershipRecord, MembershipRow } from '../records/membership-store.ts'
import type { FoundRows } from '../records/searched-rows.ts'
import { ScimError } from './scim-error.ts'
import { fieldOf } from './scim-filter.ts'
import { META, rowQuery, type ScimColumns, type ScimListing } from './scim-listing.ts'
import { readFlag, type ScimResource } from './scim-patch.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
const COLUMNS: ScimColumns = {
  id: { field: 'id', kind: 'exact' },
  externalid: { field: 'externalId', kind: 'exact' },
  username: { field: 'userName', kind: 'folded' },
  active: { field: 'active', kind: 'flag' },
  ...META
}
const PROFILE_BYTES = 16_384
/** Kept elsewhere than in the profile, or made here. */
const OWN = ['schemas', 'id', 'meta', 'externalid', 'username', 'active', 'groups', 'password', '__proto__']

export interface ScimUserParts extends OrganizationParts {
  readonly members: Members
  /** Role of members whom no group gives another. */
  readonly role: string
}

export class ScimUsers {
  readonly #parts: ScimUserParts

  constructor(parts: ScimUserParts) {
    this.#parts = parts
  }

  async search(organizationId: string, listing: ScimListing): Promise<FoundRows<ScimResource>> {
    const query = rowQuery<MembershipRow>(listing, COLUMNS, 'terms')
    const { items, total } = await this.#parts.stores.memberships.search(organizationId, query)
    return { items: items.map(resourceOf), total }
  }

  async get(organizationId: string, id: string): Promise<ScimResource> {
    return resourceOf(await this.find(organizationId, id))
  }

  async create(organizationId: string, body: unknown): Promise<ScimResource> {
    const { users, members, role } = this.#parts
    const { userName, active, externalId, profile } = readUser(body)
    const domain = await this.#domain(organizationId, userName)
    const account = { identifier: userName, password: null, roles: [], metadata: { provisionedBy: organizationId } }
    if ((await users.find(userName)) === null) {
      await users.create(account).catch(unlessDuplicate)
    }
    const user = await users.find(userName)
    if (user === null) throw new ScimError(409, 'the user is gone', 'uniqueness')
    const provisioned = await this.#mayJoin(organizationId, user, domain)
    try {
      const more = { externalId, profile, provisioned }
      const made = await members.add(organizationId, user, role, undefined, more)
      return resourceOf(active ? made : await members.setActive(organizationId, made.id, false))
    } catch (error) {
      if (error instanceof AlreadyMember) throw new ScimError(409, 'this user is provisioned already', 'uniqueness')
      throw error
    }
  }

  async replace(organizationId: string, id: string, body: unknown): Promise<ScimResource> {
    const { stores, members } = this.#parts
    const before = await this.find(organizationId, id)
    const { userName, active, externalId, profile } = readUser(body, before)
    const identifier = userName === before.identifier ? userName : await this.#rename(before, userName)
    const after = await stores.memberships.change(organizationId, id, { identifier, externalId, profile })
    if (after === null) throw notFound()
    try {
      return resourceOf(await members.setActive(organizationId, id, active))
    } catch (error) {
      throw lastOwner(error)
    }
  }

  async remove(organizationId: string, id: string): Promise<void> {
    const { members } = this.#parts
    await this.find(organizationId, id)
    try {
      await members.remove(organizationId, id, { owner: true, permissions: new Set() }, 'deprovisioned')
    } catch (error) {
      throw lastOwner(error)
    }
  }

  async find(organizationId: string, id: string): Promise<MembershipRecord> {
    const found = await this.#parts.stores.memberships.find(organizationId, id)
    if (found === null) throw notFound()
    return found
  }

  /** Of accounts that the provisioning made alone: others belong to their users. */
  async #rename({ organizationId, userId, provisioned }: MembershipRecord, next: string): Promise<string> {
    if (!provisioned)
      throw new ScimError(400, 'the userName of an account that its user made cannot change', 'mutability')
    await this.#domain(organizationId, next)
    const { users } = this.#parts
    // The name in the membership may be somebody else's by now.
    const identifier = (await users.get(userId))?.identifier
    if (identifier === undefined) throw notFound()
    if (identifier === next) return next
    const isRenamed = await users.rename(identifier, next).catch((error: unknown) => {
      throw error instanceof DuplicateRecord ? takenName() : error
    })
    if (!isRenamed) throw notFound()
    return next
  }

  /**
   * Whoever signed up with an address of the domain without proving it is a stranger, and must not become a member by the
   * provisioning of that address.
   *
   * @returns whether the provisioning of this organisation made the account @throws ScimError (409)
   */
  async #mayJoin(organizationId: string, user: AskedUser, { provider }: DomainRecord): Promise<boolean> {
    const { users, provenAddress } = this.#parts
    const kept = users.driver === 'application' ? null : await users.get(user.id)
    if (kept?.metadata.provisionedBy === organizationId) return true
    if ((await provenAddress(user))?.toLowerCase() === user.identifier) return false
    // Made by a first login at the provider that the domain requires: a link that came later may be anybody's there.
    const isOfProvider = kept?.socialAccounts.some(
      (each) => each.provider === provider && each.linkedAt === kept.createdAt
    )
    if (isOfProvider === true) return false
    throw new ScimError(
      409,
      'an account has this userName, and its address was never proven: its user confirms it first, or an administrator removes the account',
      'uniqueness'
    )
  }

  async #domain(organizationId: string, userName: string): Promise<DomainRecord> {
    const domain = domainOf(userName)
    const proven = domain === null ? null : await this.#parts.stores.organizationDomains.findVerified(domain)
    if (proven?.organizationId === organizationId) return proven
    throw new ScimError(
      400,
      'userName must be an address of a domain that the organisation has verified',
      'invalidValue'
    )
  }
}

/** As SCIM shows a member. */
export function resourceOf(membership: MembershipRecord): ScimResource {
  const { id, externalId, identifier, active, profile, createdAt, updatedAt } = membership
  return {
    ...profile,
    schemas: [USER_SCHEMA, ...Object.keys(profile).filter((key) => key.startsWith('urn:'))],
    id,
    ...(externalId === null ? {} : { externalId }),
    userName: identifier,
    active,
    meta: {
      resourceType: 'User',
      created: new Date(createdAt).toISOString(),
      lastModified: new Date(updatedAt).toISOString(),
      location: `/scim/v2/Users/${id}`
    }
  }
}

interface ReadUser {
  readonly userName: string
  readonly active: boolean
  readonly externalId: string | null
  readonly profile: JsonObject
}

function readUser(body: unknown, before?: MembershipRecord): ReadUser {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ScimError(400, 'the body must be an object', 'invalidSyntax')
  }
  const userName = fieldOf(body, 'userName') ?? before?.identifier
  if (typeof userName !== 'string' || userName === '' || userName.length > 320) {
    throw new ScimError(400, 'userName must be a text', 'invalidValue')
  }
  const externalId = fieldOf(body, 'externalId') ?? null
  if (externalId !== null && (typeof externalId !== 'string' || externalId.length > 500)) {
    throw new ScimError(400, 'externalId must be a text', 'invalidValue')
  }
  const active = fieldOf(body, 'active')
  const kept = Object.entries(body).filter(([key]) => !OWN.includes(key.toLowerCase()))
  const profile = Object.fromEntries(kept) as JsonObject
  if (Buffer.byteLength(JSON.stringify(profile)) > PROFILE_BYTES) {
    throw new ScimError(400, `the attributes have more than ${PROFILE_BYTES} bytes`, 'invalidValue')
  }
  // Names are compared without case: an address that differs in it alone is that of the same member.
  const same = before !== undefined && before.identifier.toLowerCase() === userName.toLowerCase()
  return {
    userName: same ? before.identifier : spelled(userName),
    active: active === undefined || active === null ? true : readFlag(active, 'active'),
    externalId,
    profile
  }
}

/** Login names are compared exactly; providers write addresses in any case. */
function spelled(userName: string): string {
  return userName.normalize('NFC').trim().toLowerCase()
}

function notFound(): ScimError {
  return new ScimError(404, 'there is no such resource')
}

function takenName(): ScimError {
  return new ScimError(409, 'another account has this userName', 'uniqueness')
}

function lastOwner(error: unknown): unknown {
  return error instanceof LastOwner ? new ScimError(409, error.message, 'mutability') : error
}

function unlessDuplicate(error: unknown): void {
  if (!(error instanceof DuplicateRecord)) throw error
}
