/** Groups of an organisation, as its provisioning system sends them. A member is named by the id of the membership. */
import type { StoreDefinition } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import { asDuplicate, type Database, fold, holding, purge, type Table, type TablePlan } from 'svc-stores/table'
import { type FoundRows, type RowQuery, searchedRows } from './searched-rows.ts'

const MOST_OF_MEMBER = 10_000

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

/** A group as it is stored. */
export interface GroupRow extends GroupRecord {
  /** Its name, folded. */
  readonly name: string
}

export interface GroupStore {
  /** @throws DuplicateRecord for a name that the organisation has */
  create(record: GroupRecord): Promise<void>
  find(organizationId: string, id: string): Promise<GroupRecord | null>
  /** In order of creation. */
  list(organizationId: string, limit: number): Promise<readonly GroupRecord[]>
  /** Those that a listing of a provisioning system asks for. */
  search(organizationId: string, query: RowQuery<GroupRow>): Promise<FoundRows<GroupRecord>>
  /** Names of those that a member is in, at most 10,000. @param member id of the membership */
  namesOf(organizationId: string, member: string): Promise<readonly string[]>
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
    { name: 'name', type: 'text', default: '' },
    { name: 'createdAt', type: 'integer' },
    { name: 'updatedAt', type: 'integer' }
  ],
  indexes: [
    { columns: ['organizationId', 'displayName'], unique: true, name: 'unique_name' },
    { columns: ['organizationId', 'createdAt'], name: 'by_organization' }
  ]
}

const shape = {
  fields: plan.columns.map(({ name }) => name).filter((name) => name !== 'name'),
  keys: ['id', 'organizationId', 'displayName', 'externalId'],
  json: []
}

export class TableGroupStore implements GroupStore {
  readonly #rows: Table<GroupRow>

  constructor(database: Database) {
    this.#rows = database.table(plan)
  }

  async create(record: GroupRecord): Promise<void> {
    const row = { ...storableRecord(record, shape), name: fold(record.displayName) }
    await asDuplicate('group', this.#rows.insert([row]), 'displayName')
  }

  async find(organizationId: string, id: string): Promise<GroupRecord | null> {
    return recordOf(await this.#rows.findOne({ id, organizationId }))
  }

  async list(organizationId: string, limit: number): Promise<readonly GroupRecord[]> {
    const order = [{ field: 'createdAt', direction: 'ASC' }] as const
    return (await this.#rows.find({ organizationId }, { order, limit })).map(known)
  }

  async search(organizationId: string, query: RowQuery<GroupRow>): Promise<FoundRows<GroupRecord>> {
    const { items, total } = await searchedRows(this.#rows, organizationId, query)
    return { items: items.map(known), total }
  }

  async namesOf(organizationId: string, member: string): Promise<readonly string[]> {
    const found = await this.#rows.find(
      { organizationId, members: holding(member) },
      { limit: MOST_OF_MEMBER, without: ['members'] }
    )
    return found.map(({ displayName }) => displayName)
  }

  async replace(record: GroupRecord, seen: number): Promise<GroupRecord | null> {
    const { id, organizationId, displayName, externalId, members, updatedAt } = storableRecord(record, shape)
    const set = { displayName, name: fold(displayName), externalId, members, updatedAt: Math.max(updatedAt, seen + 1) }
    const changing = this.#rows.updateOne({ id, organizationId, updatedAt: seen }, { set })
    return recordOf(await asDuplicate('group', changing, 'displayName'))
  }

  async remove(organizationId: string, id: string): Promise<boolean> {
    return (await this.#rows.delete({ id, organizationId })) === 1
  }

  async removeAll(organizationId: string): Promise<number> {
    return purge(this.#rows, { organizationId })
  }
}

function known({ name: _, ...record }: GroupRow): GroupRecord {
  return record
}

function recordOf(row: GroupRow | null): GroupRecord | null {
  return row === null ? null : known(row)
}

export const groupStore: StoreDefinition<GroupStore> = {
  brick: 'organizationGroups',
  operations: operationsOf(TableGroupStore),
  open: (database) => new TableGroupStore(database),
  check: (store) => store.find('health', 'health')
}
