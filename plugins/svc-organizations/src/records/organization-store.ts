/** Organisations. Each row counts its owners, so that one step decides whether an owner may go. */
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import {
  all,
  any,
  asDuplicate,
  atLeast,
  atMost,
  containing,
  type Database,
  held,
  isNull,
  type Table,
  type TablePlan,
  type Where
} from 'svc-stores/table'

export interface OrganizationRecord {
  readonly id: string
  /** Its name in paths and hosts; unique. */
  readonly slug: string
  readonly name: string
  /** Epoch ms, as all times here; `null`: it is not suspended. */
  readonly suspendedAt: number | null
  readonly suspendedReason: string | null
  /** When it is to be removed; `null`: it stays. */
  readonly deleteAt: number | null
  /** When its data were exported for the deletion. */
  readonly exportedAt: number | null
  /** Members who are owners. */
  readonly owners: number
  /** Id of the membership to which ownership was offered. */
  readonly transferTo: string | null
  /** Id of the membership that offered it. */
  readonly transferFrom: string | null
  readonly createdAt: number
}

/** Which organisations a listing has; what is absent is not asked for. */
export interface OrganizationFilter {
  /** A part of the name or the slug, in any case. */
  readonly q?: string | undefined
  readonly state?: OrganizationState | undefined
}

/** A suspended one is `suspended` also in the days of grace before its deletion. */
export type OrganizationState = 'active' | 'suspended' | 'closing'

type Changeable = Omit<OrganizationRecord, 'id' | 'owners' | 'createdAt'>

export interface OrganizationStore {
  /** @throws DuplicateRecord for a slug that is taken */
  create(record: OrganizationRecord): Promise<void>
  find(id: string): Promise<OrganizationRecord | null>
  findBySlug(slug: string): Promise<OrganizationRecord | null>
  /** Those of these ids, by id. */
  findAll(ids: readonly string[]): Promise<readonly OrganizationRecord[]>
  /** The newest first. */
  list(limit: number, offset: number, filter?: OrganizationFilter): Promise<readonly OrganizationRecord[]>
  /** @returns the row afterwards @throws DuplicateRecord for a slug that is taken */
  change(id: string, change: Partial<Changeable>): Promise<OrganizationRecord | null>
  /** Counts one owner more. */
  addOwner(id: string): Promise<void>
  /** Counts one owner less, unless it is the last. */
  releaseOwner(id: string): Promise<boolean>
  /** Ends the offer of ownership and returns it: for exactly one caller. */
  takeTransfer(id: string, transferTo: string): Promise<OrganizationRecord | null>
  /** Ids of those that are to go now and were exported, the earliest first. */
  due(limit: number): Promise<readonly string[]>
  remove(id: string): Promise<boolean>
}

const plan: TablePlan = {
  name: 'svc_organization',
  collection: 'organization',
  record: 'organization',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'slug', type: 'text', searched: true },
    { name: 'name', type: 'text', searched: true },
    { name: 'suspendedAt', type: 'integer', nullable: true },
    { name: 'suspendedReason', type: 'text', nullable: true },
    { name: 'deleteAt', type: 'integer', nullable: true },
    { name: 'exportedAt', type: 'integer', nullable: true },
    { name: 'owners', type: 'integer' },
    { name: 'transferTo', type: 'text', nullable: true },
    { name: 'transferFrom', type: 'text', nullable: true },
    { name: 'createdAt', type: 'integer' }
  ],
  indexes: [
    { columns: ['slug'], unique: true, name: 'unique_slug' },
    { columns: ['createdAt'], name: 'by_creation' },
    { columns: ['deleteAt'], held: 'deleteAt', name: 'by_deletion' }
  ]
}

const fields = plan.columns.map(({ name }) => name)
const shape = { fields, patch: fields, keys: ['id', 'slug', 'transferTo', 'transferFrom'], json: [] }

export class TableOrganizationStore implements OrganizationStore {
  readonly #clock: StoreParts['clock']
  readonly #rows: Table<OrganizationRecord>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#rows = database.table(plan)
  }

  async create(record: OrganizationRecord): Promise<void> {
    await asDuplicate('organization', this.#rows.insert([storableRecord(record, shape)]), 'slug')
  }

  async find(id: string): Promise<OrganizationRecord | null> {
    return this.#rows.findOne({ id })
  }

  async findBySlug(slug: string): Promise<OrganizationRecord | null> {
    return this.#rows.findOne({ slug })
  }

  async findAll(ids: readonly string[]): Promise<readonly OrganizationRecord[]> {
    const found = await Promise.all(ids.map(async (id) => this.#rows.findOne({ id })))
    return found.filter((row) => row !== null)
  }

  async list(limit: number, offset: number, filter: OrganizationFilter = {}): Promise<readonly OrganizationRecord[]> {
    // The id makes pages whole where times are equal.
    const order = ['createdAt', 'id'].map((field) => ({ field, direction: 'DESC' }) as const)
    return this.#rows.find(whereOf(filter), { order, limit, offset })
  }

  async change(id: string, change: Partial<Changeable>): Promise<OrganizationRecord | null> {
    const { slug, name, ...rest } = change
    const set = { ...(slug !== undefined && { slug }), ...(name !== undefined && { name }), ...rest }
    return asDuplicate('organization', this.#rows.updateOne({ id }, { set }), 'slug')
  }

  async addOwner(id: string): Promise<void> {
    await this.#rows.update({ id }, { add: { owners: 1 } })
  }

  async releaseOwner(id: string): Promise<boolean> {
    return (await this.#rows.update({ id, owners: atLeast(2) }, { add: { owners: -1 } })) === 1
  }

  async takeTransfer(id: string, transferTo: string): Promise<OrganizationRecord | null> {
    const found = await this.#rows.findOne({ id, transferTo })
    if (found === null) return null
    const set = { transferTo: null, transferFrom: null }
    return (await this.#rows.update({ id, transferTo }, { set })) === 1 ? found : null
  }

  async due(limit: number): Promise<readonly string[]> {
    const order = [{ field: 'deleteAt', direction: 'ASC' }] as const
    const where = { deleteAt: atMost(this.#clock.now()), exportedAt: held }
    return (await this.#rows.find(where, { order, limit })).map(({ id }) => id)
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#rows.delete({ id })) === 1
  }
}

const STATES: Readonly<Record<OrganizationState, Where<OrganizationRecord>>> = {
  active: { suspendedAt: isNull, deleteAt: isNull },
  suspended: { suspendedAt: held },
  closing: { suspendedAt: isNull, deleteAt: held }
}

function whereOf({ q, state }: OrganizationFilter): Where<OrganizationRecord> {
  const asked: Where<OrganizationRecord>[] = []
  if (state !== undefined) asked.push(STATES[state])
  if (q !== undefined) asked.push(any<OrganizationRecord>({ name: containing(q) }, { slug: containing(q) }))
  return all(...asked)
}

export const organizationStore: StoreDefinition<OrganizationStore> = {
  brick: 'organizations',
  operations: operationsOf(TableOrganizationStore),
  open: (database, parts) => new TableOrganizationStore(database, parts),
  check: (store) => store.find('health')
}
