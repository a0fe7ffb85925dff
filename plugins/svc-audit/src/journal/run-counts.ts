/**
 * What repeats in a run, on its way into a durable store: one event a minute says how many there were since the last. It
 * has the time of the last of them, so that a listing by time finds it.
 */
import type { AuditEvent, Clock } from 'svc-kernel'
import type { EventIds } from './audit-event.ts'
import { KEPT_OF_A_RUN, type Run } from './repeats.ts'

/** Between two events that count. */
const EVERY_MS = 60_000

export interface RunCountsParts {
  readonly clock: Clock
  readonly ids: Pick<EventIds, 'next'>
  readonly add: (event: AuditEvent) => void
}

interface Uncounted {
  count: number
  readonly firstAt: number
  lastAt: number
}

export class RunCounts {
  readonly #parts: RunCountsParts
  readonly #uncounted = new Map<Run, Uncounted>()
  #timer: unknown = null

  constructor(parts: RunCountsParts) {
    this.#parts = parts
  }

  /** Whether the next of this run is to be counted. */
  counts(run: Run): boolean {
    return run.anonymous && run.stored >= KEPT_OF_A_RUN
  }

  /** One more. @param now epoch ms */
  add(run: Run, now: number): void {
    const known = this.#uncounted.get(run)
    if (known !== undefined) {
      known.count += 1
      known.lastAt = now
      return
    }
    this.#uncounted.set(run, { count: 1, firstAt: now, lastAt: now })
    this.#timer ??= this.#parts.clock.setTimeout(() => this.flush(), EVERY_MS)
  }

  /** Hands over what is counted so far. */
  flush(): void {
    const { clock, ids, add } = this.#parts
    if (this.#timer !== null) clock.clearTimeout(this.#timer)
    this.#timer = null
    for (const [{ latestStored: event }, { count, firstAt, lastAt }] of this.#uncounted) {
      if (event === null) continue
      const metadata = Object.freeze({ ...event.metadata, count, firstAt, lastAt })
      add(Object.freeze({ ...event, id: ids.next(), ts: lastAt, requestId: null, metadata }))
    }
    this.#uncounted.clear()
  }
}
