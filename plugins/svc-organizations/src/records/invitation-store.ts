/** Invitations to an organisation. The store has the hash of the secret that the mail carries, never the secret. */
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import { above, atMost, type Database, purge, type Table, type TablePlan } from 'svc-stores/table'

export interface OrganizationInvitation {
  /** Made of the organisation and the address: of each, the newest alone is stored. */
  readonly id: string
  readonly organizationId: string
  readonly address: string
  readonly role: string
  /** SHA-256 of the secret, base64url; unique. */
  readonly hash: string
  /** Login name of who invites. */
  readonly invitedBy: string
  /** Epoch ms. */
  readonly createdAt: number
  /** Epoch ms. */
  readonly expiresAt: number
}

export interface OrganizationInvitationStore {
  /** Stores an invitation in place of the one with its id. */
  put(invitation: OrganizationInvitation): Promise<void>
  /** One that is not over. */
  find(hash: string): Promise<OrganizationInvitation | null>
  /** Removes one that is not over, and returns it: for exactly one caller. */
  take(hash: string): Promise<OrganizationInvitation | null>
  /** Stores one again that was taken, unless a newer one has its id. */
  restore(invitation: OrganizationInvitation): Promise<void>
  /** Those that are not over, the newest first. */
  list(organizationId: string, limit: number): Promise<readonly OrganizationInvitation[]>
  /** `true` when this call removed it. */
  remove(organizationId: string, id: string): Promise<boolean>
  removeAll(organizationId: string): Promise<number>
  /** Removes those that are over. */
  purge(): Promise<number>
}

const plan: TablePlan = {
  name: 'svc_organization_invitation',
  collection: 'organization_invitation',
  record: 'invitation',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'organizationId', type: 'text' },
    { name: 'address', type: 'text' },
    { name: 'role', type: 'text' },
    { name: 'hash', type: 'text' },
    { name: 'invitedBy', type: 'text' },
    { name: 'createdAt', type: 'integer' },
    { name: 'expiresAt', type: 'integer' }
  ],
  indexes: [
    { columns: ['hash'], unique: true, name: 'by_hash' },
    { columns: ['organizationId', 'createdAt'], name: 'by_organization' },
    { columns: ['expiresAt'], name: 'by_expiry' }
  ]
}

const shape = {
  fields: plan.columns.map(({ name }) => name),
  keys: ['id', 'organizationId', 'address', 'role', 'hash', 'invitedBy'],
  json: []
}

export class TableOrganizationInvitationStore implements OrganizationInvitationStore {
  readonly #clock: StoreParts['clock']
  readonly #rows: Table<OrganizationInvitation>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#rows = database.table(plan)
  }

  async put(invitation: OrganizationInvitation): Promise<void> {
    await this.#rows.put(storableRecord(invitation, shape))
  }

  async find(hash: string): Promise<OrganizationInvitation | null> {
    return this.#rows.findOne({ hash, expiresAt: above(this.#clock.now()) })
  }

  async take(hash: string): Promise<OrganizationInvitation | null> {
    return this.#rows.deleteOne({ hash, expiresAt: above(this.#clock.now()) })
  }

  async restore(invitation: OrganizationInvitation): Promise<void> {
    await this.#rows.insertNew([storableRecord(invitation, shape)])
  }

  async list(organizationId: string, limit: number): Promise<readonly OrganizationInvitation[]> {
    const order = [{ field: 'createdAt', direction: 'DESC' }] as const
    return this.#rows.find({ organizationId, expiresAt: above(this.#clock.now()) }, { order, limit })
  }

  async remove(organizationId: string, id: string): Promise<boolean> {
    return (await this.#rows.delete({ id, organizationId })) === 1
  }

  async removeAll(organizationId: string): Promise<number> {
    return purge(this.#rows, { organizationId })
  }

  async purge(): Promise<number> {
    return purge(this.#rows, { expiresAt: atMost(this.#clock.now()) })
  }
}

export const organizationInvitationStore: StoreDefinition<OrganizationInvitationStore> = {
  brick: 'organizationInvitations',
  operations: operationsOf(TableOrganizationInvitationStore),
  open: (database, parts) => new TableOrganizationInvitationStore(database, parts),
  check: (store) => store.find('health')
}
