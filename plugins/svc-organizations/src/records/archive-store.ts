/** Exports of organisations that are to be deleted: one for each, until the organisation goes. */
import type { JsonObject, StoreDefinition } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import type { Database, Table, TablePlan } from 'svc-stores/table'

export interface ArchiveRecord {
  /** Id of the organisation. */
  readonly id: string
  readonly archive: JsonObject
  /** Epoch ms. */
  readonly createdAt: number
}

export interface ArchiveStore {
  /** Stores an archive in place of the one before. */
  put(record: ArchiveRecord): Promise<void>
  find(id: string): Promise<ArchiveRecord | null>
  /** `true` when this call removed it. */
  remove(id: string): Promise<boolean>
}

const plan: TablePlan = {
  name: 'svc_organization_archive',
  collection: 'organization_archive',
  record: 'archive',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'archive', type: 'document' },
    { name: 'createdAt', type: 'integer' }
  ]
}

const shape = { fields: ['id', 'archive', 'createdAt'], keys: ['id'], json: ['archive'] }

export class TableArchiveStore implements ArchiveStore {
  readonly #rows: Table<ArchiveRecord>

  constructor(database: Database) {
    this.#rows = database.table(plan)
  }

  async put(record: ArchiveRecord): Promise<void> {
    await this.#rows.put(storableRecord(record, shape))
  }

  async find(id: string): Promise<ArchiveRecord | null> {
    return this.#rows.findOne({ id })
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#rows.delete({ id })) === 1
  }
}

export const archiveStore: StoreDefinition<ArchiveStore> = {
  brick: 'organizationArchives',
  operations: operationsOf(TableArchiveStore),
  open: (database) => new TableArchiveStore(database),
  check: (store) => store.find('health')
}
