/** Domains of organisations. Several may claim one; a single organisation has it verified. */
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import { asDuplicate, atMost, type Database, purge, type Table, type TablePlan } from 'svc-stores/table'

export interface DomainRecord {
  readonly id: string
  readonly organizationId: string
  /** Lower case, ASCII. */
  readonly domain: string
  /** What the TXT record has to hold. */
  readonly token: string
  /** The domain once it is proven, which one organisation has; `null` before. */
  readonly verified: string | null
  /** Epoch ms of the last check that found the record; `null` without one. */
  readonly checkedAt: number | null
  /** The provider at which addresses of the domain have to sign in; `null`: any way in. */
  readonly provider: string | null
  readonly createdAt: number
}

export interface DomainStore {
  /** @throws DuplicateRecord for a domain that the organisation has claimed already */
  create(record: DomainRecord): Promise<void>
  find(organizationId: string, id: string): Promise<DomainRecord | null>
  findVerified(domain: string): Promise<DomainRecord | null>
  list(organizationId: string): Promise<readonly DomainRecord[]>
  /** @throws DuplicateRecord where another organisation has verified the domain */
  change(
    id: string,
    change: Partial<Pick<DomainRecord, 'verified' | 'checkedAt' | 'provider'>>
  ): Promise<DomainRecord | null>
  /** `true` when this call removed it. */
  remove(organizationId: string, id: string): Promise<boolean>
  removeAll(organizationId: string): Promise<number>
  /** Verified ones that were last found before this time, the longest ago first. */
  unchecked(before: number, limit: number): Promise<readonly DomainRecord[]>
}

const plan: TablePlan = {
  name: 'svc_organization_domain',
  collection: 'organization_domain',
  record: 'domain',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'organizationId', type: 'text' },
    { name: 'domain', type: 'text' },
    { name: 'token', type: 'text' },
    { name: 'verified', type: 'text', nullable: true },
    { name: 'checkedAt', type: 'integer', nullable: true },
    { name: 'provider', type: 'text', nullable: true },
    { name: 'createdAt', type: 'integer' }
  ],
  indexes: [
    { columns: ['organizationId', 'domain'], unique: true, name: 'unique_claim' },
    { columns: ['verified'], unique: true, held: 'verified', name: 'unique_domain' },
    { columns: ['checkedAt'], held: 'checkedAt', name: 'by_check' }
  ]
}

const shape = {
  fields: plan.columns.map(({ name }) => name),
  keys: ['id', 'organizationId', 'domain', 'token', 'verified', 'provider'],
  json: []
}

export class TableDomainStore implements DomainStore {
  readonly #rows: Table<DomainRecord>

  constructor(database: Database, _parts: StoreParts) {
    this.#rows = database.table(plan)
  }

  async create(record: DomainRecord): Promise<void> {
    await asDuplicate('domain', this.#rows.insert([storableRecord(record, shape)]), 'domain')
  }

  async find(organizationId: string, id: string): Promise<DomainRecord | null> {
    return this.#rows.findOne({ id, organizationId })
  }

  async findVerified(domain: string): Promise<DomainRecord | null> {
    return this.#rows.findOne({ verified: domain })
  }

  async list(organizationId: string): Promise<readonly DomainRecord[]> {
    return this.#rows.find({ organizationId }, { order: [{ field: 'domain', direction: 'ASC' }] })
  }

  async change(
    id: string,
    change: Partial<Pick<DomainRecord, 'verified' | 'checkedAt' | 'provider'>>
  ): Promise<DomainRecord | null> {
    return asDuplicate('domain', this.#rows.updateOne({ id }, { set: change }), 'domain')
  }

  async remove(organizationId: string, id: string): Promise<boolean> {
    return (await this.#rows.delete({ id, organizationId })) === 1
  }

  async removeAll(organizationId: string): Promise<number> {
    return purge(this.#rows, { organizationId })
  }

  async unchecked(before: number, limit: number): Promise<readonly DomainRecord[]> {
    const order = [{ field: 'checkedAt', direction: 'ASC' }] as const
    return this.#rows.find({ checkedAt: atMost(before) }, { order, limit })
  }
}

export const domainStore: StoreDefinition<DomainStore> = {
  brick: 'organizationDomains',
  operations: operationsOf(TableDomainStore),
  open: (database, parts) => new TableDomainStore(database, parts),
  check: (store) => store.find('health', 'health')
}
