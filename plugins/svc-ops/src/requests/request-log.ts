/**
 * The newest requests, read newest first. What svc itself was asked, as by a console that is open, has room of its own:
 * it never pushes a request of the application out.
 */
import { isOwn, type RequestFilter, requestMatcher } from './request-filter.ts'
import type { RequestRecord } from './request-record.ts'
import { type RequestBounds, RequestRing } from './request-ring.ts'

export interface RequestPage {
  readonly items: readonly RequestRecord[]
  /** The page behind this one: its `before`; `null` on the last. */
  readonly nextCursor: number | null
}

/** The room of svc's own requests is this part of the application's, beside it. */
const OWN_SHARE = 0.25

export class RequestLog {
  readonly #application: RequestRing
  readonly #own: RequestRing
  #next = 1

  /** @param bounds of the application's requests; those of svc itself come on top, a quarter as many */
  constructor({ capacity, maxBytes }: RequestBounds, onEvicted: (record: RequestRecord) => void = () => undefined) {
    this.#application = new RequestRing({ capacity, maxBytes }, onEvicted)
    this.#own = new RequestRing(
      { capacity: Math.ceil(capacity * OWN_SHARE), maxBytes: maxBytes * OWN_SHARE },
      onEvicted
    )
  }

  get size(): number {
    return this.#application.size + this.#own.size
  }

  get bytes(): number {
    return this.#application.bytes + this.#own.bytes
  }

  /** Numbers the record and keeps it. */
  add(record: RequestRecord): void {
    record.seq = this.#next
    this.#next += 1
    ;(isOwn(record) ? this.#own : this.#application).push(record)
  }

  /** The newest of this request id: a caller may send one id twice. */
  find(id: string): RequestRecord | null {
    for (const record of this.#newest()) if (record.id === id) return record
    return null
  }

  /** @param before only those that ended before this `seq` @param after only those that ended after it */
  list(filter: RequestFilter, limit: number, before = this.#next, after = 0): RequestPage {
    const matches = requestMatcher(filter)
    const items: RequestRecord[] = []
    for (const record of this.#newest(filter.own)) {
      if (record.seq <= after) break
      if (record.seq >= before || !matches(record)) continue
      if (items.length === limit) return { items, nextCursor: items.at(-1)?.seq ?? null }
      items.push(record)
    }
    return { items, nextCursor: null }
  }

  *#newest(own?: boolean): Generator<RequestRecord> {
    let [mine, others] = [0, 0]
    for (;;) {
      const application = own === true ? undefined : this.#application.at(others)
      const svc = own === false ? undefined : this.#own.at(mine)
      if (application !== undefined && (svc === undefined || application.seq > svc.seq)) {
        others += 1
        yield application
      } else if (svc !== undefined) {
        mine += 1
        yield svc
      } else return
    }
  }
}
