/** The newest requests, bounded by number and by memory: the oldest goes first. Read newest first. */
import { startOf } from './record-view.ts'
import { type RequestRecord, sizeOf } from './request-record.ts'

export interface RequestFilter {
  readonly method?: string
  /** `404`, or a class: `4xx`. */
  readonly status?: string
  /** Part of the template, or of the URL where no route answered. */
  readonly route?: string
  readonly user?: string
  readonly error?: string
  readonly zone?: string
  /** Those that took as long, in milliseconds. */
  readonly minMs?: number
  /** Epoch ms, inclusive. */
  readonly since?: number
  readonly until?: number
}

export interface RequestPage {
  readonly items: readonly RequestRecord[]
  /** The page behind this one: its `before`; `null` on the last. */
  readonly nextCursor: number | null
}

export interface RequestLogBounds {
  /** Requests. */
  readonly capacity: number
  readonly maxBytes: number
}

export class RequestLog {
  readonly #bounds: RequestLogBounds
  readonly #onEvicted: (record: RequestRecord) => void
  /** By `seq`, in turn. */
  readonly #slots: (RequestRecord | undefined)[] = []
  #bytes = 0
  /** Of the oldest that is kept, and of the next. */
  #first = 1
  #next = 1

  constructor(bounds: RequestLogBounds, onEvicted: (record: RequestRecord) => void = () => undefined) {
    this.#bounds = bounds
    this.#onEvicted = onEvicted
  }

  get size(): number {
    return this.#next - this.#first
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Numbers the record and keeps it. */
  add(record: RequestRecord): void {
    const { capacity, maxBytes } = this.#bounds
    record.bytes = sizeOf(record)
    this.#bytes += record.bytes
    while (this.size > 0 && (this.size >= capacity || this.#bytes > maxBytes)) this.#evict()
    record.seq = this.#next
    this.#slots[record.seq % capacity] = record
    this.#next += 1
  }

  /** The newest of this request id: a caller may send one id twice. */
  find(id: string): RequestRecord | null {
    for (let seq = this.#next - 1; seq >= this.#first; seq -= 1) {
      const record = this.#at(seq)
      if (record?.id === id) return record
    }
    return null
  }

  /** @param before only those that ended before this `seq` @param after only those that ended after it */
  list(filter: RequestFilter, limit: number, before = this.#next, after = 0): RequestPage {
    const matches = matcher(filter)
    const items: RequestRecord[] = []
    const oldest = Math.max(this.#first, after + 1)
    for (let seq = Math.min(before, this.#next) - 1; seq >= oldest; seq -= 1) {
      const record = this.#at(seq)
      if (record === undefined || !matches(record)) continue
      if (items.length === limit) return { items, nextCursor: items.at(-1)?.seq ?? null }
      items.push(record)
    }
    return { items, nextCursor: null }
  }

  #at(seq: number): RequestRecord | undefined {
    return this.#slots[seq % this.#bounds.capacity]
  }

  #evict(): void {
    const index = this.#first % this.#bounds.capacity
    const record = this.#slots[index]
    this.#slots[index] = undefined
    this.#first += 1
    if (record === undefined) return
    this.#bytes -= record.bytes
    this.#onEvicted(record)
  }
}

function matcher(filter: RequestFilter): (record: RequestRecord) => boolean {
  const { method, status, route, user, error, zone, minMs = 0, since = 0, until = Number.POSITIVE_INFINITY } = filter
  const part = route?.toLowerCase()
  return (record) =>
    (method === undefined || record.method === method) &&
    (status === undefined || hasStatus(record.status, status)) &&
    (part === undefined || (record.route ?? record.url).toLowerCase().includes(part)) &&
    (user === undefined || record.user === user) &&
    (error === undefined || record.error === error) &&
    (zone === undefined || record.zone === zone) &&
    record.durationUs >= minMs * 1000 &&
    (since === 0 || startOf(record) >= since) &&
    (until === Number.POSITIVE_INFINITY || startOf(record) <= until)
}

function hasStatus(status: number, wanted: string): boolean {
  return wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted)
}
