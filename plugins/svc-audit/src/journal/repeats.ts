/**
 * Refusals that one address provokes again and again. Memory keeps the first of a run
 * one by one; the last of those then counts all that follow, in `count`.
 * A run ends when its address is quiet for a minute. Bounded: the oldest run is forgotten first.
 */
import type { AuditEvent } from 'svc-kernel'
import type { AuditAction } from '../catalogue.ts'

/** What a caller can provoke without any proof, as often as it can ask. */
const PROVOKED: readonly AuditAction[] = [
  'auth.denied',
  'auth.failure',
  'auth.throttled',
  'login.throttled',
  'oauth.failure',
  'access.denied',
  'csrf.rejected',
  'cors.rejected',
  'origin.rejected',
  'frame.denied'
]

export const REFUSALS: ReadonlySet<string> = new Set(PROVOKED)

/** Events of a run that are kept one by one. */
export const KEPT_OF_A_RUN = 20

const QUIET_MS = 60_000
const MAX_RUNS = 1000

export interface Run {
  /** How many of the run memory has kept one by one. */
  kept: number
  /** Epoch ms of the last one. */
  last: number
  /** The event that counts those that follow, and where it is. */
  event: AuditEvent | null
  position: number
  /** How many it counts, itself included. */
  count: number
}

export class Repeats {
  readonly #runs = new Map<string, Run>()

  /** The run that a refusal belongs to; a new one where its address was quiet. */
  of(action: string, ip: string, now: number): Run {
    const key = `${action} ${ip}`
    const run = this.#runs.get(key)
    if (run !== undefined && now - run.last < QUIET_MS) {
      run.last = now
      return run
    }
    this.#runs.delete(key)
    if (this.#runs.size >= MAX_RUNS) for (const oldest of this.#runs.keys()) if (this.#runs.delete(oldest)) break
    const fresh = { kept: 0, last: now, event: null, position: -1, count: 1 }
    this.#runs.set(key, fresh)
    return fresh
  }
}

/** The event of a run, with how many it counts and when the last of them was. */
export function counted({ event, count, last }: Run): AuditEvent {
  const whole = event as AuditEvent
  return Object.freeze({ ...whole, metadata: Object.freeze({ ...whole.metadata, count, lastAt: last }) })
}
