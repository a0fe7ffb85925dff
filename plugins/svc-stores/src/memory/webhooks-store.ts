/** Webhook endpoints in memory: for development and tests; lost at a restart, seen by one instance. */
import type { Clock } from 'svc-kernel'
import type {
  NewWebhook,
  WebhookFilter,
  WebhookPatch,
  WebhookRecord,
  WebhookSortField,
  WebhookStats,
  WebhookSummary,
  WebhooksStore
} from '../contracts/webhooks-store.ts'
import { InvalidRecord } from '../errors.ts'
import { compareText } from '../paging/compare-values.ts'
import type { Page, PageQuery } from '../paging/page.ts'
import { filterTypes, readFilter } from '../paging/read-filter.ts'
import { sortFields } from '../paging/sort-fields.ts'
import { newRecords } from '../records/new-records.ts'
import { recordShapes } from '../records/record-shapes.ts'
import { checkText, storablePatch, storableRecord } from '../records/storable-record.ts'
import { containsText } from './contains-text.ts'
import { copyOut, MemoryTable } from './memory-table.ts'
import type { StoreParts } from './store-parts.ts'

export class MemoryWebhooksStore implements WebhooksStore {
  readonly #clock: Clock
  readonly #table = new MemoryTable<WebhookRecord>('webhook')

  constructor({ clock }: StoreParts) {
    this.#clock = clock
  }

  async create(webhook: NewWebhook): Promise<WebhookRecord> {
    const row = newRecords.webhook(storableRecord(webhook, recordShapes.webhooks), this.#clock.now())
    this.#table.insert(row)
    return copyOut(row)
  }

  async find(id: string): Promise<WebhookRecord | null> {
    const row = this.#table.get(id)
    return row === undefined ? null : copyOut(row)
  }

  async update(id: string, patch: WebhookPatch): Promise<WebhookRecord | null> {
    const changes = storablePatch(patch, recordShapes.webhooks)
    if (changes.failureCount !== undefined && changes.failureCount !== 0) {
      throw new InvalidRecord('failureCount', 'it can only be reset to 0')
    }
    const row = this.#table.get(id)
    if (row === undefined) return null
    return copyOut(this.#table.change(row, { ...changes, updatedAt: this.#clock.now() }))
  }

  async delete(id: string): Promise<boolean> {
    return this.#table.delete(id)
  }

  async enabled(): Promise<readonly WebhookRecord[]> {
    const rows = this.#table.where((row) => row.enabled)
    return rows.sort((a, b) => compareText(a.id, b.id)).map(copyOut)
  }

  async recordSuccess(id: string, status: number): Promise<boolean> {
    const row = this.#table.get(id)
    if (row === undefined) return false
    this.#table.change(row, { ...this.#delivery(status, null), failureCount: 0 })
    return true
  }

  async recordFailure(id: string, status: number | null, error: string): Promise<number | null> {
    checkText('lastDeliveryError', error, false)
    const row = this.#table.get(id)
    if (row === undefined) return null
    const failureCount = row.failureCount + 1
    this.#table.change(row, { ...this.#delivery(status, error), failureCount })
    return failureCount
  }

  async disable(id: string, threshold: number): Promise<boolean> {
    const row = this.#table.get(id)
    if (row === undefined || !row.enabled || row.failureCount < threshold) return false
    this.#table.change(row, { enabled: false })
    return true
  }

  async list(filter: WebhookFilter, page: PageQuery<WebhookSortField>): Promise<Page<WebhookSummary>> {
    const found = this.#table.page(matching(filter), page, sortFields.webhooks)
    return { ...found, items: found.items.map(({ secretEnc: _secret, ...summary }) => summary) }
  }

  async count(filter: WebhookFilter): Promise<number> {
    return this.#table.count(matching(filter))
  }

  async stats(filter: Pick<WebhookFilter, 'event' | 'q'>): Promise<WebhookStats> {
    const rows = this.#table.where(matching(filter))
    const active = rows.filter((row) => row.enabled).length
    const failing = rows.filter((row) => row.failureCount > 0).length
    return { total: rows.length, active, disabled: rows.length - active, failing }
  }

  #delivery(lastDeliveryStatus: number | null, lastDeliveryError: string | null): Partial<WebhookRecord> {
    return { lastDeliveryAt: this.#clock.now(), lastDeliveryStatus, lastDeliveryError }
  }
}

function matching(filter: WebhookFilter): (row: WebhookRecord) => boolean {
  const { enabled, event, failing, q } = readFilter(filter, filterTypes.webhooks)
  return (row) =>
    (enabled === undefined || row.enabled === enabled) &&
    (event === undefined || row.events.includes(event)) &&
    (failing === undefined || row.failureCount > 0 === failing) &&
    (q === undefined || containsText(row.url, q) || containsText(row.description, q))
}
