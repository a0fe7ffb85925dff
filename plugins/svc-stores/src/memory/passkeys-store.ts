/** Passkeys in memory: for development and tests; lost at a restart, seen by one instance. */
import type { Clock } from 'svc-kernel'
import type {
  NewPasskey,
  PasskeyFilter,
  PasskeyRecord,
  PasskeySortField,
  PasskeySummary,
  PasskeysStore
} from '../contracts/passkeys-store.ts'
import { DuplicateRecord } from '../errors.ts'
import type { Page, PageQuery } from '../paging/page.ts'
import { filterTypes, readFilter } from '../paging/read-filter.ts'
import { sortFields } from '../paging/sort-fields.ts'
import { newRecords } from '../records/new-records.ts'
import { recordShapes } from '../records/record-shapes.ts'
import { checkText, storableRecord } from '../records/storable-record.ts'
import { startsWithText } from './contains-text.ts'
import { copyOut, MemoryTable } from './memory-table.ts'
import type { StoreParts } from './store-parts.ts'

export class MemoryPasskeysStore implements PasskeysStore {
  readonly #clock: Clock
  readonly #table = new MemoryTable<PasskeyRecord>('passkey')

  constructor({ clock }: StoreParts) {
    this.#clock = clock
  }

  async save(passkey: NewPasskey): Promise<PasskeyRecord> {
    const row = newRecords.passkey(storableRecord(passkey, recordShapes.passkeys), this.#clock.now())
    const stored = this.#table.get(row.id)
    if (stored === undefined) {
      this.#table.insert(row)
      return copyOut(row)
    }
    if (stored.userId !== row.userId) throw new DuplicateRecord('passkey', 'id')
    const { createdAt, lastUsedAt } = stored
    const counter = Math.max(stored.counter, row.counter)
    return copyOut(this.#table.change(stored, { ...row, counter, createdAt, lastUsedAt }))
  }

  async find(id: string): Promise<PasskeyRecord | null> {
    const row = this.#table.get(id)
    return row === undefined ? null : copyOut(row)
  }

  async advance(id: string, counter: number, backupState: boolean): Promise<boolean> {
    const row = this.#table.get(id)
    if (row === undefined) return false
    const uncounted = counter === 0 && row.counter === 0
    if (counter <= row.counter && !uncounted) return false
    this.#table.change(row, { counter, backupState, lastUsedAt: this.#clock.now() })
    return true
  }

  async rename(id: string, userId: string, nickname: string | null): Promise<boolean> {
    if (nickname !== null) checkText('nickname', nickname, false)
    const row = this.#owned(id, userId)
    if (row === undefined) return false
    this.#table.change(row, { nickname })
    return true
  }

  async remove(id: string, userId: string): Promise<boolean> {
    return this.#owned(id, userId) !== undefined && this.#table.delete(id)
  }

  async removeByUser(userId: string): Promise<number> {
    return this.#table.deleteWhere((row) => row.userId === userId)
  }

  async list(filter: PasskeyFilter, page: PageQuery<PasskeySortField>): Promise<Page<PasskeySummary>> {
    const found = this.#table.page(matching(filter), page, sortFields.passkeys)
    return { ...found, items: found.items.map(({ publicKey: _key, ...summary }) => summary) }
  }

  async count(filter: PasskeyFilter): Promise<number> {
    return this.#table.count(matching(filter))
  }

  #owned(id: string, userId: string): PasskeyRecord | undefined {
    const row = this.#table.get(id)
    return row?.userId === userId ? row : undefined
  }
}

function matching(filter: PasskeyFilter): (row: PasskeyRecord) => boolean {
  const { userId, q } = readFilter(filter, filterTypes.passkeys)
  return (row) =>
    (userId === undefined || row.userId === userId) && (q === undefined || startsWithText(row.nickname, q))
}
