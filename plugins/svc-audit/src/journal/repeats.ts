/**
 * Refusals that one address provokes again and again. Memory keeps the first of a run
 * one by one; the last of those then counts all that follow, in `count`.
 * A run ends when its address is quiet for a minute. Bounded: the oldest run is forgotten first.
 */
import type { AuditAction } from '../catalogue.ts'
import type { CountedEvent } from '../storage/counted-event.ts'

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
  readonly action: string
  readonly ip: string
  /** How many of the run memory has kept one by one. */
  kept: number
  /** Epoch ms of the last one. */
  last: number
  /** The last of those, which counts what follows. */
  counter: CountedEvent | null
}

export class Repeats {
  readonly #runs = new Map<string, Run>()
  /** The run that was asked for last: a flood asks for the same again, and a key need not be made. */
  #latest: Run | null = null

  /** The run that a refusal belongs to; a new one where its address was quiet. */
  of(action: string, ip: string, now: number): Run {
    const latest = this.#latest
    if (latest !== null && latest.ip === ip && latest.action === action && now - latest.last < QUIET_MS) {
      latest.last = now
      return latest
    }
    this.#latest = this.#find(action, ip, now)
    return this.#latest
  }

  #find(action: string, ip: string, now: number): Run {
    const key = `${action} ${ip}`
    const run = this.#runs.get(key)
    if (run !== undefined && now - run.last < QUIET_MS) {
      run.last = now
      return run
    }
    this.#runs.delete(key)
    if (this.#runs.size >= MAX_RUNS) for (const oldest of this.#runs.keys()) if (this.#runs.delete(oldest)) break
    const fresh = { action, ip, kept: 0, last: now, counter: null }
    this.#runs.set(key, fresh)
    return fresh
  }
}
