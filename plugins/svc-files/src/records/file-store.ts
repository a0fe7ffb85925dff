/**
 * The records of files, over any table. The record comes before the content and goes after it, so that no content is
 * without a record that leads to it, and no stored record without its content.
 */
import type { Clock } from 'svc-kernel'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import {
  after,
  all,
  atMost,
  type Database,
  given,
  held,
  oneOf,
  type Table,
  type TablePlan,
  type Where
} from 'svc-stores/table'
import type { FileRecord, FileState, WrittenContent } from './file-record.ts'

export interface FileListing {
  readonly owner?: string | undefined
  /** The id that the page before ended with. */
  readonly after?: string | undefined
  readonly limit: number
}

export interface FileStore {
  /** Adds a pending record, with the most bytes that it may get. */
  reserve(record: FileRecord): Promise<void>
  /** Bytes of all files, those of pending ones as reserved. */
  used(scope: string, owner?: string): Promise<number>
  /** Lowers what a pending file may get. */
  resize(id: string, bytes: number): Promise<void>
  /** The content is complete. @returns `false` where the record is not pending any more */
  complete(id: string, written: WrittenContent, state: 'pending' | 'stored'): Promise<boolean>
  /** Pending files with their content become stored: all of them, or none. */
  keep(scope: string, ids: readonly string[]): Promise<boolean>
  /** A stored file. */
  find(scope: string, id: string): Promise<FileRecord | null>
  /** Stored files in the order of their ids. */
  list(scope: string, listing: FileListing): Promise<readonly FileRecord[]>
  /** A stored file becomes removed. @returns `true` when this call removed it */
  remove(scope: string, id: string): Promise<boolean>
  /** A pending file becomes removed. */
  drop(id: string): Promise<void>
  /** Pending files that did not change since become removed. @returns how many */
  expire(before: number): Promise<number>
  /** Those that were removed until then, in the order of their ids. */
  removed(until: number, after: string | undefined, limit: number): Promise<readonly FileRecord[]>
  /** Deletes the record of a removed file. */
  forget(id: string): Promise<void>
}

const plan: TablePlan = {
  name: 'svc_file',
  collection: 'file',
  record: 'files',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'scope', type: 'text' },
    { name: 'owner', type: 'text', nullable: true },
    { name: 'name', type: 'text' },
    { name: 'type', type: 'text' },
    { name: 'bytes', type: 'integer' },
    { name: 'sha256', type: 'text', nullable: true },
    { name: 'state', type: 'text' },
    { name: 'createdAt', type: 'integer' },
    { name: 'changedAt', type: 'integer' }
  ],
  indexes: [
    { columns: ['scope', 'state', 'id'], name: 'by_scope' },
    { columns: ['scope', 'owner', 'state', 'id'], name: 'by_owner' },
    { columns: ['state', 'changedAt'], name: 'by_change' }
  ]
}

const shape = {
  fields: ['id', 'scope', 'owner', 'name', 'type', 'bytes', 'sha256', 'state', 'createdAt', 'changedAt'],
  keys: ['id', 'scope', 'owner'],
  json: []
}

const COUNTED: readonly FileState[] = ['pending', 'stored']

const BY_ID = [{ field: 'id', direction: 'ASC' }] as const

export class TableFileStore implements FileStore {
  readonly #clock: Clock
  readonly #files: Table<FileRecord>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#files = database.table(plan)
  }

  async reserve(record: FileRecord): Promise<void> {
    await this.#files.insert([storableRecord(record, shape)])
  }

  async used(scope: string, owner?: string): Promise<number> {
    const where = { scope, ...given({ owner }), state: oneOf(COUNTED) }
    const measures = { bytes: { of: 'sum', column: 'bytes' } } as const
    const [group] = await this.#files.group(where, { by: [], measures })
    return Number(group?.bytes ?? 0)
  }

  async resize(id: string, bytes: number): Promise<void> {
    await this.#files.update({ id, state: 'pending' }, { min: { bytes } })
  }

  async complete(id: string, written: WrittenContent, state: 'pending' | 'stored'): Promise<boolean> {
    const set = { ...written, state, changedAt: this.#clock.now() }
    return (await this.#files.update({ id, state: 'pending' }, { set })) === 1
  }

  async keep(scope: string, ids: readonly string[]): Promise<boolean> {
    const pending = { id: oneOf(ids), scope, state: 'pending', sha256: held } as const
    // Records stay pending once they are complete, unless they are kept or purged.
    if ((await this.#files.count(pending)) !== new Set(ids).size) return false
    const set = { state: 'stored', changedAt: this.#clock.now() } as const
    if ((await this.#files.update(pending, { set })) === new Set(ids).size) return true
    // One of them was purged in between.
    await this.#become('removed', { id: oneOf(ids), scope, state: 'stored' })
    return false
  }

  async find(scope: string, id: string): Promise<FileRecord | null> {
    return this.#files.findOne({ id, scope, state: 'stored' })
  }

  async list(scope: string, { owner, after: last, limit }: FileListing): Promise<readonly FileRecord[]> {
    const asked = { scope, ...given({ owner }), state: 'stored' } as const
    return this.#files.find(behind(asked, last), { order: BY_ID, limit })
  }

  async remove(scope: string, id: string): Promise<boolean> {
    return (await this.#become('removed', { id, scope, state: 'stored' })) === 1
  }

  async drop(id: string): Promise<void> {
    await this.#become('removed', { id, state: 'pending' })
  }

  async expire(before: number): Promise<number> {
    return this.#become('removed', { state: 'pending', changedAt: atMost(before) })
  }

  async removed(until: number, last: string | undefined, limit: number): Promise<readonly FileRecord[]> {
    return this.#files.find(behind({ state: 'removed', changedAt: atMost(until) }, last), { order: BY_ID, limit })
  }

  async forget(id: string): Promise<void> {
    await this.#files.delete({ id, state: 'removed' })
  }

  #become(state: FileState, where: Where<FileRecord>): Promise<number> {
    return this.#files.update(where, { set: { state, changedAt: this.#clock.now() } })
  }
}

function behind(where: Where<FileRecord>, last: string | undefined): Where<FileRecord> {
  return last === undefined ? where : all(where, after(BY_ID, { id: last } as FileRecord))
}

export const fileStore: StoreDefinition<FileStore> = {
  brick: 'files',
  operations: operationsOf(TableFileStore),
  open: (database, parts) => new TableFileStore(database, parts),
  check: (store) => store.find('health', 'health')
}
