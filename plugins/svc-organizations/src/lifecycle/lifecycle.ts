/** An organisation from its beginning: made, renamed, suspended and resumed. */
import { randomId } from 'svc-kernel/plugin'
import { DuplicateRecord } from 'svc-stores'
import { ID_PREFIX } from '../active/active-organizations.ts'
import { OrganizationNotFound, SlugTaken, TooManyOrganizations } from '../errors.ts'
import type { OrganizationKeys } from '../keys/organization-keys.ts'
import type { AskedUser } from '../options.ts'
import type { OrganizationParts } from '../organization-parts.ts'
import type { OrganizationRecord } from '../records/organization-store.ts'
import { OWNER } from '../roles/organization-roles.ts'
import { endJobs } from './endings.ts'

/** A new organisation. */
export interface NewOrganization {
  readonly name: string
  /** Its name in paths: lower-case letters, digits and `-`. */
  readonly slug: string
}

export interface LifecycleParts extends OrganizationParts {
  /** `null` where keys are off. */
  readonly keys: Pick<OrganizationKeys, 'end'> | null
}

export class Lifecycle {
  readonly #parts: LifecycleParts

  constructor(parts: LifecycleParts) {
    this.#parts = parts
  }

  /** @param most memberships that the owner may have; `null`: any number @throws SlugTaken, TooManyOrganizations (409) */
  async create(owner: AskedUser, { name, slug }: NewOrganization, most: number | null): Promise<OrganizationRecord> {
    const { stores, clock, audit } = this.#parts
    const joined = await stores.memberships.ofUser(owner.id)
    if (most !== null && joined.length >= most) throw new TooManyOrganizations(String(most))
    const createdAt = clock.now()
    const record: OrganizationRecord = {
      id: randomId(ID_PREFIX),
      slug,
      name,
      suspendedAt: null,
      suspendedReason: null,
      deleteAt: null,
      exportedAt: null,
      owners: 1,
      transferTo: null,
      transferFrom: null,
      createdAt
    }
    await slugOf(stores.organizations.create(record))
    try {
      await stores.memberships.create({
        id: randomId('mem'),
        organizationId: record.id,
        userId: owner.id,
        identifier: owner.identifier,
        role: OWNER,
        active: true,
        provisioned: false,
        externalId: null,
        profile: {},
        createdAt,
        updatedAt: createdAt
      })
    } catch (error) {
      // One without an owner is of no use, and would hold its slug.
      await stores.organizations.remove(record.id).catch(() => undefined)
      throw error
    }
    audit('organization.created', record.id, { slug, name, owner: owner.identifier })
    return record
  }

  /** @throws OrganizationNotFound (404), SlugTaken (409) */
  async rename(id: string, change: Partial<NewOrganization>): Promise<OrganizationRecord> {
    const { stores, audit } = this.#parts
    const renamed = await slugOf(stores.organizations.change(id, change))
    if (renamed === null) throw new OrganizationNotFound()
    audit('organization.renamed', id, { ...change })
    return renamed
  }

  /** Closes every door of it at once. Repeating it changes the reason. @throws OrganizationNotFound (404) */
  async suspend(id: string, reason: string): Promise<OrganizationRecord> {
    const { stores, clock, sockets, audit } = this.#parts
    const change = { suspendedAt: clock.now(), suspendedReason: reason }
    const suspended = await stores.organizations.change(id, change)
    if (suspended === null) throw new OrganizationNotFound()
    sockets.end({ organization: id })
    audit('organization.suspended', id, { reason })
    await this.#parts.keys?.end(id, 'suspended')
    await endJobs(this.#parts, id)
    return suspended
  }

  /** @throws OrganizationNotFound (404) */
  async resume(id: string): Promise<OrganizationRecord> {
    const { stores, audit } = this.#parts
    const resumed = await stores.organizations.change(id, { suspendedAt: null, suspendedReason: null })
    if (resumed === null) throw new OrganizationNotFound()
    audit('organization.resumed', id)
    return resumed
  }
}

async function slugOf<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof DuplicateRecord ? new SlugTaken() : error
  }
}
