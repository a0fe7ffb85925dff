/**
 * Deletion of an organisation. Its doors close at once; a job exports its data, and when the days of grace are over another
 * removes it. What was not exported is not removed.
 */
import type { Jobs } from 'svc-jobs'
import { runInOrganization } from 'svc-kernel/plugin'
import type { JsonObject } from 'svc-stores'
import { ArchiveNotFound, OrganizationNotFound } from '../errors.ts'
import type { OrganizationKeys } from '../keys/organization-keys.ts'
import { DAY_MS, type OrganizationParts } from '../organization-parts.ts'
import type { OrganizationData } from './data-parts.ts'
import { endJobs } from './endings.ts'

const EXPORT = 'svc.organizations.export'
const SWEEP = 'svc.organizations.sweep'
const ERASE = 'svc.organizations.erase'
/** Work that began before the doors were gone has ended by then. */
const ERASED_AGAIN_S = 600
/** Organisations that a sweep removes; the next one is in ten minutes. */
const SWEPT_AT_ONCE = 20

export interface DeletionParts extends OrganizationParts {
  readonly data: OrganizationData
  /** `null` where keys are off. */
  readonly keys: Pick<OrganizationKeys, 'end'> | null
  /** Runs work in the name of an organisation. */
  readonly within: <T>(id: string, work: () => Promise<T>) => Promise<T>
}

export class OrganizationDeletion {
  readonly #parts: DeletionParts
  readonly #jobs: Jobs
  readonly #section: { readonly graceDays: number; readonly maxBytes: number }

  constructor(parts: DeletionParts, jobs: Jobs, section: { readonly graceDays: number; readonly maxBytes: number }) {
    this.#parts = parts
    this.#jobs = jobs
    this.#section = section
    const body = {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: { id: { type: 'string' } }
    }
    jobs.define(EXPORT, { body, unique: true }, (given) => this.#export((given as { readonly id: string }).id))
    jobs.define(SWEEP, {}, () => this.#sweep())
    jobs.define(ERASE, { body }, (given) => this.#eraseAgain((given as { readonly id: string }).id))
    jobs.schedule(SWEEP, '*/10 * * * *', { zone: 'UTC' })
  }

  /** @returns when it goes, epoch ms @throws OrganizationNotFound (404), JobsUnavailable (503) */
  async begin(id: string): Promise<number> {
    const { stores, clock, sockets, audit } = this.#parts
    const deleteAt = clock.now() + this.#section.graceDays * DAY_MS
    const closing = await stores.organizations.change(id, { deleteAt, exportedAt: null })
    if (closing === null) throw new OrganizationNotFound()
    sockets.end({ organization: id })
    audit('organization.deletion_requested', id, { deleteAt })
    await this.#parts.keys?.end(id, 'deletion')
    await endJobs(this.#parts, id)
    // A job of the organisation itself would not begin, as its doors are closed.
    await runInOrganization(null, () => this.#jobs.add(EXPORT, { id }))
    return deleteAt
  }

  /** Of one that is not to go, it changes nothing. @throws OrganizationNotFound (404) */
  async cancel(id: string): Promise<void> {
    const { stores, audit } = this.#parts
    if ((await stores.organizations.change(id, { deleteAt: null, exportedAt: null })) === null) {
      throw new OrganizationNotFound()
    }
    await stores.organizationArchives.remove(id)
    audit('organization.deletion_cancelled', id)
  }

  /** @throws ArchiveNotFound (404) until the job has run */
  async archive(id: string): Promise<JsonObject> {
    const found = await this.#parts.stores.organizationArchives.find(id)
    if (found === null) throw new ArchiveNotFound()
    this.#parts.audit('organization.exported', id)
    return found.archive
  }

  async #export(id: string): Promise<void> {
    const { stores, data, clock, within } = this.#parts
    const organization = await stores.organizations.find(id)
    if (organization === null || organization.deleteAt === null) return
    const archive = (await within(id, () => data.export(id, this.#section.maxBytes))) as JsonObject
    const createdAt = clock.now()
    await stores.organizationArchives.put({ id, archive, createdAt })
    await stores.organizations.change(id, { exportedAt: createdAt })
  }

  /** Each in steps that can be done again: its row goes last, so that what failed is swept once more. */
  async #sweep(): Promise<void> {
    const failures: unknown[] = []
    for (const id of await this.#parts.stores.organizations.due(SWEPT_AT_ONCE)) {
      await this.#remove(id).catch((error: unknown) => failures.push(error))
    }
    // One that cannot go now keeps no other.
    if (failures.length > 0) throw failures[0]
  }

  async #remove(id: string): Promise<void> {
    const { stores, data, within, audit } = this.#parts
    await within(id, () => data.erase(id))
    await this.#parts.keys?.end(id, 'deletion', true)
    await stores.organizationInvitations.removeAll(id)
    await stores.organizationDomains.removeAll(id)
    await stores.organizationGroups.removeAll(id)
    await stores.memberships.removeAll(id)
    await stores.organizationArchives.remove(id)
    // Before the row goes, which is what a sweep that is interrupted begins with again.
    await this.#jobs.add(ERASE, { id }, { delayS: ERASED_AGAIN_S })
    await stores.organizations.remove(id)
    audit('organization.deleted', id)
  }

  /** What was written after its data was erased and before its row was gone, such as an event that was handed on. */
  async #eraseAgain(id: string): Promise<void> {
    const { stores, data, within } = this.#parts
    // It was not removed after all: the sweep that removes it adds a job of its own.
    if ((await stores.organizations.find(id)) !== null) return
    await within(id, () => data.erase(id))
  }
}
