/** Groups of an organisation, as its provisioning system sends them. A member is named by the id of the membership. */
import type { StoreDefinition } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import { asDuplicate, type Database, purge, type Table, type TablePlan } from 'svc-stores/table'

export interface GroupRecord {
  readonly id: string
  readonly organizationId: string
  readonly displayName: string
  readonly externalId: string | null
  /** Ids of memberships. */
  readonly members: readonly string[]
  /** Epoch ms. */
  readonly createdAt: number
  /** Epoch ms. */
  readonly updatedAt: number
}

export interface GroupStore {
  /** @throws DuplicateRecord for a name that the organisation has */
  create(record: GroupRecord): Promise<void>
  find(organizationId: string, id: string): Promise<GroupRecord | null>
  /** In order of creation. */
  list(organizationId: string, limit: number): Promise<readonly GroupRecord[]>
  /**
   * Replaces what it has, unless it changed meanwhile.
   *
   * @param seen its `updatedAt` before @returns the row afterwards @throws DuplicateRecord
   */
  replace(record: GroupRecord, seen: number): Promise<GroupRecord | null>
  /** `true` when this call removed it. */
  remove(organizationId: string, id: string): Promise<boolean>
  removeAll(organizationId: string): Promise<number>
}

const plan: TablePlan = {
  name: 'svc_organization_group',
  collection: 'organization_group',
  record: 'group',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'organizationId', type: 'text' },
    { name: 'displayName', type: 'text' },
    { name: 'externalId', type: 'text', nullable: true },
    { name: 'members', type: 'text', list: true },
    { name: 'createdAt', type: 'integer' },
    { name: 'updatedAt', type: 'integer' }
  ],
  indexes: [
    { columns: ['organizationId', 'displayName'], unique: true, name: 'unique_name' },
    { columns: ['organizationId', 'createdAt'], name: 'by_organization' }
  ]
}

const shape = {
  fields: plan.columns.map(({ name }) => name),
  keys: ['id', 'organizationId', 'displayName', 'externalId'],
  json: []
}

export class TableGroupStore implements GroupStore {
  readonly #rows: Table<GroupRecord>

  constructor(database: Database) {
    this.#rows = database.table(plan)
  }

  async create(record: GroupRecord): Promise<void> {
    await asDuplicate('group', this.#rows.insert([storableRecord(record, shape)]), 'displayName')
  }

  async find(organizationId: string, id: string): Promise<GroupRecord | null> {
    return this.#rows.findOne({ id, organizationId })
  }

  async list(organizationId: string, limit: number): Promise<readonly GroupRecord[]> {
    return this.#rows.find({ organizationId }, { order: [{ field: 'createdAt', direction: 'ASC' }], limit })
  }

  async replace(record: GroupRecord, seen: number): Promise<GroupRecord | null> {
    const { id, organizationId, displayName, externalId, members, updatedAt } = storableRecord(record, shape)
    const set = { displayName, externalId, members, updatedAt: Math.max(updatedAt, seen + 1) }
    return asDuplicate('group', this.#rows.updateOne({ id, organizationId, updatedAt: seen }, { set }), 'displayName')
  }

  async remove(organizationId: string, id: string): Promise<boolean> {
    return (await this.#rows.delete({ id, organizationId })) === 1
  }

  async removeAll(organizationId: string): Promise<number> {
    return purge(this.#rows, { organizationId })
  }
}

export const groupStore: StoreDefinition<GroupStore> = {
  brick: 'organizationGroups',
  operations: operationsOf(TableGroupStore),
  open: (database) => new TableGroupStore(database),
  check: (store) => store.find('health', 'health')
}
