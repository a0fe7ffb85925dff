/** Memberships: who belongs to an organisation, and in which role. Every query names the organisation or the user. */
import type { JsonObject, StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import { asDuplicate, type Database, fold, oneOf, purge, type Table, type TablePlan } from 'svc-stores/table'
import { termsOf } from './profile-terms.ts'
import { type FoundRows, type RowQuery, searchedRows } from './searched-rows.ts'

export interface MembershipRecord {
  readonly id: string
  readonly organizationId: string
  /** Id of the user, which a change of the login name keeps. */
  readonly userId: string
  /** Login name of the user when the row was written, for lists, and for a provisioning system to find the user again. */
  readonly identifier: string
  readonly role: string
  /** `false`: deprovisioned, and as good as no member. */
  readonly active: boolean
  /** The account was made by the provisioning of this organisation. */
  readonly provisioned: boolean
  /** What the provisioning system calls the user; `null` without one. */
  readonly externalId: string | null
  /** Further attributes that the provisioning system sent. */
  readonly profile: JsonObject
  /** Epoch ms. */
  readonly createdAt: number
  /** Epoch ms. */
  readonly updatedAt: number
}

/** A membership as it is stored. */
export interface MembershipRow extends MembershipRecord {
  /** The login name, folded. */
  readonly userName: string
  /** What the profile says, to be looked for. */
  readonly terms: readonly string[]
}

export type MembershipChange = Partial<
  Pick<MembershipRecord, 'identifier' | 'role' | 'active' | 'externalId' | 'profile' | 'userId'>
>

export interface MembershipStore {
  /** @throws DuplicateRecord for a user who has a membership there */
  create(record: MembershipRecord): Promise<void>
  find(organizationId: string, id: string): Promise<MembershipRecord | null>
  findByUser(organizationId: string, userId: string): Promise<MembershipRecord | null>
  /** In order of creation. */
  list(organizationId: string, limit: number, offset: number): Promise<readonly MembershipRecord[]>
  /** How many each of these organisations has, by its id; none of one without members. */
  counts(organizationIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Those that a listing of a provisioning system asks for. */
  search(organizationId: string, query: RowQuery<MembershipRow>): Promise<FoundRows<MembershipRecord>>
  /** Every one of a user, at most 1000. */
  ofUser(userId: string): Promise<readonly MembershipRecord[]>
  /** @param role `change` is made where the member has this role @returns the row afterwards */
  change(organizationId: string, id: string, change: MembershipChange, role?: string): Promise<MembershipRecord | null>
  /** @param role removed only where the member has this role @returns the row as it was: for exactly one caller */
  remove(organizationId: string, id: string, role?: string): Promise<MembershipRecord | null>
  removeAll(organizationId: string): Promise<number>
}

const plan: TablePlan = {
  name: 'svc_organization_membership',
  collection: 'organization_membership',
  record: 'membership',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'organizationId', type: 'text' },
    { name: 'userId', type: 'text' },
    { name: 'identifier', type: 'text' },
    { name: 'role', type: 'text' },
    { name: 'active', type: 'boolean' },
    { name: 'provisioned', type: 'boolean' },
    { name: 'externalId', type: 'text', nullable: true },
    { name: 'profile', type: 'document' },
    { name: 'userName', type: 'text', default: '' },
    { name: 'terms', type: 'text', list: true },
    { name: 'createdAt', type: 'integer' },
    { name: 'updatedAt', type: 'integer' }
  ],
  indexes: [
    { columns: ['organizationId', 'userId'], unique: true, name: 'unique_member' },
    { columns: ['userId'], name: 'by_user' },
    { columns: ['organizationId', 'createdAt'], name: 'by_organization' },
    { columns: ['organizationId', 'userName'], name: 'by_user_name' }
  ]
}

const DERIVED = ['userName', 'terms']

const shape = {
  fields: plan.columns.map(({ name }) => name).filter((name) => !DERIVED.includes(name)),
  keys: ['id', 'organizationId', 'userId', 'identifier', 'role', 'externalId'],
  json: ['profile']
}

const MOST_OF_USER = 1000

export class TableMembershipStore implements MembershipStore {
  readonly #clock: StoreParts['clock']
  readonly #rows: Table<MembershipRow>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#rows = database.table(plan)
  }

  async create(record: MembershipRecord): Promise<void> {
    await asDuplicate('membership', this.#rows.insert([rowOf(storableRecord(record, shape))]), 'user')
  }

  async find(organizationId: string, id: string): Promise<MembershipRecord | null> {
    return recordOf(await this.#rows.findOne({ id, organizationId }))
  }

  async findByUser(organizationId: string, userId: string): Promise<MembershipRecord | null> {
    return recordOf(await this.#rows.findOne({ organizationId, userId }))
  }

  async list(organizationId: string, limit: number, offset: number): Promise<readonly MembershipRecord[]> {
    const order = [{ field: 'createdAt', direction: 'ASC' }] as const
    return (await this.#rows.find({ organizationId }, { order, limit, offset })).map(known)
  }

  async counts(organizationIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const grouping = { by: ['organizationId'], measures: { members: { of: 'count' } }, unordered: true } as const
    const groups = await this.#rows.group({ organizationId: oneOf(organizationIds) }, grouping)
    return new Map(groups.map(({ organizationId, members }) => [String(organizationId), Number(members)]))
  }

  async search(organizationId: string, query: RowQuery<MembershipRow>): Promise<FoundRows<MembershipRecord>> {
    const { items, total } = await searchedRows(this.#rows, organizationId, query)
    return { items: items.map(known), total }
  }

  async ofUser(userId: string): Promise<readonly MembershipRecord[]> {
    return (await this.#rows.find({ userId }, { limit: MOST_OF_USER })).map(known)
  }

  async change(
    organizationId: string,
    id: string,
    change: MembershipChange,
    role?: string
  ): Promise<MembershipRecord | null> {
    const where = role === undefined ? { id, organizationId } : { id, organizationId, role: oneOf([role]) }
    const set = { ...change, ...derived(change), updatedAt: this.#clock.now() }
    return recordOf(await this.#rows.updateOne(where, { set }))
  }

  async remove(organizationId: string, id: string, role?: string): Promise<MembershipRecord | null> {
    const where = role === undefined ? { id, organizationId } : { id, organizationId, role: oneOf([role]) }
    return recordOf(await this.#rows.deleteOne(where))
  }

  async removeAll(organizationId: string): Promise<number> {
    return purge(this.#rows, { organizationId })
  }
}

function derived({ identifier, profile }: MembershipChange): Partial<Pick<MembershipRow, 'userName' | 'terms'>> {
  return {
    ...(identifier !== undefined && { userName: fold(identifier) }),
    ...(profile !== undefined && { terms: termsOf(profile) })
  }
}

function rowOf(record: MembershipRecord): MembershipRow {
  return { ...record, userName: fold(record.identifier), terms: termsOf(record.profile) }
}

function known({ userName: _, terms: __, ...record }: MembershipRow): MembershipRecord {
  return record
}

function recordOf(row: MembershipRow | null): MembershipRecord | null {
  return row === null ? null : known(row)
}

export const membershipStore: StoreDefinition<MembershipStore> = {
  brick: 'memberships',
  operations: operationsOf(TableMembershipStore),
  open: (database, parts) => new TableMembershipStore(database, parts),
  check: (store) => store.find('health', 'health')
}
