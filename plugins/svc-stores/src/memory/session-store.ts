/** Sessions in memory: for development and tests; lost at a restart, seen by one instance. */
import type { Clock } from 'svc-kernel'
import type {
  NewSession,
  SessionBounds,
  SessionFilter,
  SessionPatch,
  SessionRecord,
  SessionSortField,
  SessionStore,
  SessionSummary
} from '../contracts/session-store.ts'
import type { Page, PageQuery } from '../paging/page.ts'
import { filterTypes, readFilter } from '../paging/read-filter.ts'
import { sortFields } from '../paging/sort-fields.ts'
import { newRecords } from '../records/new-records.ts'
import { recordShapes } from '../records/record-shapes.ts'
import { isSessionExpired } from '../records/session-expiry.ts'
import { storablePatch, storableRecord } from '../records/storable-record.ts'
import { copyOut, MemoryTable } from './memory-table.ts'
import type { StoreParts } from './store-parts.ts'

export class MemorySessionStore implements SessionStore {
  readonly #clock: Clock
  readonly #table = new MemoryTable<SessionRecord>('session')

  constructor({ clock }: StoreParts) {
    this.#clock = clock
  }

  async create(session: NewSession): Promise<SessionRecord> {
    const row = newRecords.session(storableRecord(session, recordShapes.session), this.#clock.now())
    this.#table.insert(row)
    return copyOut(row)
  }

  async find(id: string): Promise<SessionRecord | null> {
    const row = this.#table.get(id)
    return row === undefined ? null : copyOut(row)
  }

  async update(id: string, patch: SessionPatch): Promise<boolean> {
    const changes = storablePatch(patch, recordShapes.session)
    return this.#write(id, changes)
  }

  async touch(id: string): Promise<boolean> {
    return this.#write(id, {})
  }

  async destroy(id: string): Promise<boolean> {
    return this.#table.delete(id)
  }

  async destroyByUser(user: string, exceptId?: string): Promise<number> {
    return this.#table.deleteWhere((row) => row.user === user && row.user !== null && row.id !== exceptId)
  }

  async list(filter: SessionFilter, page: PageQuery<SessionSortField>): Promise<Page<SessionSummary>> {
    const found = this.#table.page(matching(filter), page, sortFields.session)
    return { ...found, items: found.items.map(({ content: _content, flash: _flash, ...summary }) => summary) }
  }

  async count(filter: SessionFilter): Promise<number> {
    return this.#table.count(matching(filter))
  }

  async purge(bounds: SessionBounds): Promise<number> {
    const now = this.#clock.now()
    return this.#table.deleteWhere((row) => isSessionExpired(row, bounds, now))
  }

  #write(id: string, changes: SessionPatch): boolean {
    const row = this.#table.get(id)
    if (row === undefined) return false
    this.#table.change(row, { ...changes, updatedAt: Math.max(row.updatedAt, this.#clock.now()) })
    return true
  }
}

function matching(filter: SessionFilter): (row: SessionRecord) => boolean {
  const { user } = readFilter(filter, filterTypes.session)
  return (row) => user === undefined || row.user === user
}
