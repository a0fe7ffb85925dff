/**
 * Spends budgets in the store. What this process knows of a key saves it the question: one that is refused is not asked
 * for again until its time comes. While the store does not answer, memory counts, or the call is refused, as the limit
 * says.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock, MaybePromise } from 'svc-kernel'
import { andThen } from 'svc-kernel/plugin'
import { InsuredStore } from 'svc-stores/plugin'
import { type Spent, spend, wholeOf } from '../limit/gcra.ts'
import type { Limit } from '../limit/limit.ts'
import type { LimitsStore } from '../storage/limits-store.ts'
import { BoundedTimes, MemoryLimitsStore } from '../storage/memory-limits-store.ts'

/** How long an answer of the store may take, in ms: a request waits for it. */
const DEADLINE_MS = 500

/** What a call costs a key of a limit. */
export interface Charge {
  readonly limit: Limit
  readonly caller: string
  readonly cost: number
}

/** A budget after a call. */
export interface State extends Spent {
  readonly limit: Limit
}

/** What came of several charges. */
export interface Taking {
  /** `unavailable`: a store does not answer, and its limit has `onOutage: 'refuse'`. */
  readonly verdict: 'taken' | 'refused' | 'unavailable'
  /** In the order of the charges; where one is refused, of the refused ones alone. */
  readonly states: readonly State[]
}

export interface LimiterParts {
  readonly store: LimitsStore
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export class Limiter {
  readonly #clock: Clock
  /** The store itself, or what counts while it does not answer. */
  readonly #memory: MemoryLimitsStore
  readonly #insured: InsuredStore<LimitsStore> | null
  /** Of keys in the store: when all is paid back, epoch microseconds. */
  readonly #known = new BoundedTimes()
  /** Of keys that the store is asked for: the last call. */
  readonly #turns = new Map<string, Promise<Spent | null>>()

  constructor({ store, clock, log }: LimiterParts) {
    this.#clock = clock
    const isMemory = store instanceof MemoryLimitsStore
    this.#memory = isMemory ? store : new MemoryLimitsStore(clock)
    this.#insured = isMemory ? null : insured(store, clock, log)
  }

  /** Spends all of these, or none: what is spent before a refusal is given back. Never rejects for a store that fails. */
  take(charges: readonly Charge[]): MaybePromise<Taking> {
    if (this.#insured !== null) {
      const refused = charges.flatMap((charge) => this.#knownRefusal(charge) ?? [])
      if (refused.length > 0) return { verdict: 'refused', states: refused }
    }
    return this.#takeFrom(charges, [])
  }

  /** Removes keys that have nothing to pay back from this process. */
  forget(): void {
    this.#known.removeUpTo(this.#now())
    if (this.#insured !== null) void this.#memory.purge()
  }

  #takeFrom(charges: readonly Charge[], states: readonly State[]): MaybePromise<Taking> {
    const charge = charges[states.length]
    if (charge === undefined) return { verdict: 'taken', states }
    const { limit } = charge
    return andThen(this.#takeOne(charge), (spent): MaybePromise<Taking> => {
      if (spent?.taken === true) return this.#takeFrom(charges, [...states, { limit, ...spent }])
      const taking: Taking =
        spent === null ? { verdict: 'unavailable', states: [] } : { verdict: 'refused', states: [{ limit, ...spent }] }
      return andThen(this.#giveBack(charges.slice(0, states.length)), () => taking)
    })
  }

  /** @returns `null` during an outage, where the limit says so */
  #takeOne(charge: Charge): MaybePromise<Spent | null> {
    const { limit, caller, cost } = charge
    if (this.#insured === null) return this.#memory.take(limit.name, caller, limit, cost)
    return this.#inTurn(charge, this.#insured)
  }

  /** One call of a key at a time: those at once would wait for each other in the store, and a refusal answers them all. */
  #inTurn(charge: Charge, insured: InsuredStore<LimitsStore>): Promise<Spent | null> {
    const id = idOf(charge)
    const before = this.#turns.get(id)
    const ask = () => this.#knownRefusal(charge) ?? this.#ask(charge, insured)
    const turn = before === undefined ? this.#ask(charge, insured) : before.then(ask)
    this.#turns.set(id, turn)
    // `#ask` never rejects.
    void turn.then(() => {
      if (this.#turns.get(id) === turn) this.#turns.delete(id)
    })
    return turn
  }

  #ask(charge: Charge, insured: InsuredStore<LimitsStore>): Promise<Spent | null> {
    const { limit, caller, cost } = charge
    const id = idOf(charge)
    const now = this.#now()
    const standing = (this.#known.get(id) ?? 0) > now
    return insured.ask(
      async (store) => {
        const spent = await store.take(limit.name, caller, limit, cost, standing)
        this.#known.set(id, now + spent.aheadUs)
        return spent
      },
      () => (limit.onOutage === 'refuse' ? null : this.#memory.take(limit.name, caller, limit, cost))
    )
  }

  #knownRefusal(charge: Charge): State | null {
    const { limit, cost } = charge
    const tat = this.#known.get(idOf(charge))
    if (tat === undefined) return null
    const now = this.#now()
    // The clock was set back: the store shortens the wait.
    if (tat > now + wholeOf(limit)) return null
    const spent = spend(tat, now, limit, cost)
    return spent.taken ? null : { limit, ...spent }
  }

  #giveBack([charge, ...others]: readonly Charge[]): MaybePromise<void> {
    if (charge === undefined) return
    const { limit, caller, cost } = charge
    const given = (store: LimitsStore) => store.giveBack(limit.name, caller, limit, cost)
    this.#known.delete(idOf(charge))
    const done = this.#insured === null ? given(this.#memory) : this.#insured.ask(given, () => given(this.#memory))
    return andThen(done, () => this.#giveBack(others))
  }

  #now(): number {
    return this.#clock.now() * 1000
  }
}

function idOf({ limit, caller }: Charge): string {
  return `${limit.name}\n${caller}`
}

function insured(store: LimitsStore, clock: Clock, log: FastifyBaseLogger): InsuredStore<LimitsStore> {
  return new InsuredStore({
    store,
    deadlineMs: DEADLINE_MS,
    probe: (store) => store.spending('health', 1),
    clock,
    log,
    code: 'SVC_LIMIT_STORE',
    name: 'the store of rate limits',
    meanwhile: "limits are counted in this process, and those with onOutage 'refuse' answer 503"
  })
}
