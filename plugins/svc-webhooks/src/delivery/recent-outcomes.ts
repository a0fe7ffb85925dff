/**
 * How the deliveries of each endpoint ended within the last 24 hours, by hour, as this instance saw them. Bounded: three
 * numbers per hour and endpoint, for a limited number of endpoints.
 */
import { dayBegin, type EndedCounts, HOUR_MS, HOURS, isDegradedBy, NONE_ENDED } from '../degraded.ts'

const FIELDS = 3

/** Beyond that, the endpoint that has waited longest for a delivery is dropped, as in the history. */
const MAX_ENDPOINTS = 10_000

/** How the deliveries of an endpoint ended within 24 hours, as `fastify.webhooks.recent` answers. */
export interface RecentOutcomes {
  /** Per hour, the oldest first; the last is under way. */
  readonly delivered: readonly number[]
  readonly failed: readonly number[]
  /** Of the attempts that ended them. */
  readonly meanMs: number
}

interface Day {
  /** The last hour that something ended in, counted from the epoch. */
  hour: number
  /** Delivered, failed and milliseconds of each hour, at its number modulo 24. */
  readonly counts: Uint32Array
}

export class RecentOutcomeCounts {
  /** In the order of their last delivery. */
  readonly #days = new Map<string, Day>()

  /** @param ts epoch ms */
  add(endpointId: string, ts: number, ok: boolean, durationMs: number): void {
    const hour = Math.floor(ts / HOUR_MS)
    const day = this.#days.get(endpointId) ?? { hour, counts: new Uint32Array(HOURS * FIELDS) }
    if (hour <= day.hour - HOURS) return
    for (let stale = Math.max(day.hour + 1, hour - HOURS + 1); stale <= hour; stale += 1) {
      const at = (stale % HOURS) * FIELDS
      day.counts.fill(0, at, at + FIELDS)
    }
    day.hour = Math.max(day.hour, hour)
    const at = (hour % HOURS) * FIELDS
    for (const [field, amount] of [ok ? 1 : 0, ok ? 0 : 1, Math.round(durationMs)].entries()) {
      day.counts[at + field] = (day.counts[at + field] as number) + amount
    }
    this.#days.delete(endpointId)
    this.#days.set(endpointId, day)
    const [oldest = ''] = this.#days.keys()
    if (this.#days.size > MAX_ENDPOINTS) this.#days.delete(oldest)
  }

  /** @param now epoch ms @returns `null` if nothing ended within the last 24 hours */
  of(endpointId: string, now: number): RecentOutcomes | null {
    const day = this.#days.get(endpointId)
    const first = dayBegin(now) / HOUR_MS
    if (day === undefined || day.hour < first) return null
    const hours = Array.from({ length: HOURS }, (_, index) => first + index)
    const read = (field: number) =>
      hours.map((hour) =>
        hour > day.hour || hour <= day.hour - HOURS ? 0 : (day.counts[(hour % HOURS) * FIELDS + field] as number)
      )
    const [delivered, failed, ms] = [read(0), read(1), sum(read(2))]
    return { delivered, failed, meanMs: Math.round(ms / (sum(delivered) + sum(failed))) }
  }

  /** @param now epoch ms */
  endedOf(endpointId: string, now: number): EndedCounts {
    const recent = this.of(endpointId, now)
    return recent === null ? NONE_ENDED : { delivered: sum(recent.delivered), failed: sum(recent.failed) }
  }

  /** Endpoints with a degraded day, in any order. @param now epoch ms */
  degraded(now: number): string[] {
    return [...this.#days.keys()].filter((id) => isDegradedBy(this.endedOf(id, now)))
  }

  forget(endpointId: string): void {
    this.#days.delete(endpointId)
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
