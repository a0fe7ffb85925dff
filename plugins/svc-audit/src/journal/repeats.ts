/**
 * Refusals that one caller provokes again and again: of one action, from one network, under one name. The first of a run
 * are kept one by one; what follows is counted. A run ends when it is quiet for a minute. Bounded: the oldest run is
 * forgotten first, and of names that callers choose a network has runs for a few; beyond that they share one.
 */
import { ANONYMOUS, type AuditEvent } from 'svc-kernel'
import { clientNetwork } from 'svc-kernel/plugin'
import { CATALOGUE } from '../catalogue.ts'
import type { CountedEvent } from '../storage/counted-event.ts'

/** What callers can provoke without any proof, as often as they can ask. */
export function isRefusal(action: string): boolean {
  return REFUSALS.has(action)
}

const REFUSALS = new Set([...CATALOGUE].filter(([, { provoked }]) => provoked !== undefined).map(([action]) => action))

/** Events of a run that are kept one by one. */
export const KEPT_OF_A_RUN = 20

/** Submitted names of one network that have a run of their own, for each action. */
export const NAMES_OF_A_NETWORK = 20

const QUIET_MS = 60_000
const MAX_RUNS = 10_000

export interface Run {
  readonly action: string
  readonly ip: string
  readonly actor: string | null
  /** Of a caller without a proven name: a store counts its repetitions as well. */
  readonly anonymous: boolean
  /** Epoch ms of the last one. */
  last: number
  /** How many of the run memory has kept one by one. */
  kept: number
  /** The last of those, which counts what follows. */
  counter: CountedEvent | null
  /** How many of the run went to the store one by one, and the last of those. */
  stored: number
  latestStored: AuditEvent | null
  /** How many names of this network have a run of their own. */
  names: number
}

export class Repeats {
  readonly #runs = new Map<string, Run>()
  /** The run that was asked for last: a flood asks for the same again, and a key need not be made. */
  #latest: Run | null = null
  /** The address that was asked for last, and its network: a flood with many names comes from one. */
  #network = { ip: '', name: '' }

  /** The run that a refusal belongs to; a new one where it was quiet. */
  of(action: string, ip: string, actor: string | null, now: number): Run {
    const latest = this.#latest
    if (latest !== null && latest.ip === ip && latest.action === action && latest.actor === actor) {
      if (now - latest.last < QUIET_MS) {
        latest.last = now
        return latest
      }
    }
    this.#latest = this.#find(action, ip, actor, now)
    return this.#latest
  }

  #find(action: string, ip: string, actor: string | null, now: number): Run {
    const network = `${action} ${this.#networkOf(ip)}`
    const key = actor === null ? network : `${network} ${actor}`
    const known = this.#live(key, now)
    if (known !== null) return known
    if (actor === null || CATALOGUE.get(action)?.provoked === 'proven') return this.#begin(key, action, ip, actor, now)
    const shared = this.#live(network, now) ?? this.#begin(network, action, ip, null, now)
    if (shared.names === NAMES_OF_A_NETWORK) return shared
    shared.names += 1
    return this.#begin(key, action, ip, actor, now)
  }

  #networkOf(ip: string): string {
    if (ip !== this.#network.ip) this.#network = { ip, name: clientNetwork(ip) }
    return this.#network.name
  }

  #live(key: string, now: number): Run | null {
    const run = this.#runs.get(key)
    if (run === undefined || now - run.last >= QUIET_MS) return null
    run.last = now
    return run
  }

  #begin(key: string, action: string, ip: string, actor: string | null, last: number): Run {
    this.#runs.delete(key)
    if (this.#runs.size >= MAX_RUNS) for (const oldest of this.#runs.keys()) if (this.#runs.delete(oldest)) break
    const anonymous =
      actor === null || actor === ANONYMOUS.identifier || CATALOGUE.get(action)?.provoked === 'submitted'
    const counts = { kept: 0, counter: null, stored: 0, latestStored: null, names: 0 }
    const run: Run = { action, ip, actor, anonymous, last, ...counts }
    this.#runs.set(key, run)
    return run
  }
}
