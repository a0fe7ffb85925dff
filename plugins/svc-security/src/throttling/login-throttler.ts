/**
 * Slows guessing down, for every way in that takes a password or a code. Failures are counted as `tracksOf` says, each with
 * its own growing delay. A blocked attempt never reaches the verifier and is not counted. An attempt under way holds a slot
 * among the failures that are still free: who comes when all are taken waits for one of them to end. Where counting costs a
 * statement, slots are taken in this process, and in the counter too as soon as there is something to slow down: a login that
 * holds then costs one read.
 */
import { type Clock, systemClock } from 'svc-kernel'
import { Throttled } from '../errors.ts'
import { KeyedMutex } from '../promises/work-queue.ts'
import { type AttemptCounter, type Count, countsOf } from './attempt-counter.ts'
import { type Backoff, delayAfter, type ThrottleSubject, type Track, type Tracks, tracksOf } from './tracks.ts'

/** Failures are forgotten after this time without a login, in seconds. */
const FORGET_S = 86_400

/** How long a network stays known to a name, in seconds: less than the longest timer of Node (24.8 days), with which some limiters forget. */
const KNOWN_S = 24 * 86_400

/** Beyond half of its time a network is made known again, not at each login. */
const KNOWN_AGAIN_MS = (KNOWN_S * 1000) / 2

/** A slot that is never given back, by a process that died, is free again after this time, in seconds. */
const SLOT_S = 60

/** Of what is free: failures and other attempts under way beyond this part are looked at by all instances together. */
const CONTESTED_PART = 10

/** How long an attempt waits for a slot, and how often it looks for those of other processes, in milliseconds. */
const MAX_WAIT_MS = 10_000
const POLL_MS = 100

/** How many attempts at one name wait in this process, and how many at all; a further one is asked to come back. */
const MAX_WAITING = 100
const MAX_WAITING_IN_ALL = 1000

/** What is counted of who tries, at one moment. */
interface Standing {
  /** The counts that hold the attempt back. */
  readonly holding: readonly Track[]
  readonly failures: ReadonlyMap<Track['key'], number>
  /** Seconds until the next attempt; 0 where there is none to wait for. */
  readonly waitS: number
  /** That the network is known to the name. */
  readonly known: Count | null
}

export interface LoginThrottlerParts {
  /** One that does not fail: `InsuredCounter`. */
  readonly counter: AttemptCounter
  /** Where slots are taken first. Default: the counter, so that instances that share it share each slot. */
  readonly slots?: AttemptCounter
  readonly clock?: Clock
}

export class LoginThrottler {
  readonly #counter: AttemptCounter
  readonly #slots: AttemptCounter
  readonly #backoff: Backoff
  readonly #clock: Clock
  readonly #mutex = new KeyedMutex()
  /** By track: slots that this process has taken in the counter beside its own. */
  readonly #claimed = new Map<string, number>()
  /** By pair: what stood when its attempt under way was let in. */
  readonly #standings = new Map<string, Standing>()
  #waiting = 0
  /** Resolved when an attempt of this process ends, then replaced. */
  #ended = newSignal()

  constructor(backoff: Backoff, { counter, slots = counter, clock = systemClock }: LoginThrottlerParts) {
    this.#backoff = backoff
    this.#counter = counter
    this.#slots = slots
    this.#clock = clock
  }

  /**
   * Before a verifier is asked. The attempt holds a slot from here on, so that attempts sent at once
   * are not all free; `failed`, `succeeded` or `released` gives it back.
   *
   * @throws Throttled (429) with `Retry-After` in seconds
   */
  async check(subject: ThrottleSubject): Promise<void> {
    const until = this.#clock.now() + MAX_WAIT_MS
    const tracks = tracksOf(subject, this.#backoff)
    const { key } = tracks.name
    if (this.#mutex.waiting(key) >= MAX_WAITING || this.#waiting >= MAX_WAITING_IN_ALL) throw throttled(1)
    this.#waiting += 1
    try {
      await this.#mutex.run(key, () => this.#admit(tracks, until))
    } finally {
      this.#waiting -= 1
    }
  }

  /** The attempt failed: its delays begin now. */
  async failed(subject: ThrottleSubject): Promise<void> {
    const tracks = tracksOf(subject, this.#backoff)
    const { holding } = await this.#stand(tracks)
    await Promise.all(holding.map((track) => this.#count(track)))
    await this.#release(tracks)
  }

  /** The attempt held: the name starts again, and the network is known to it. */
  async succeeded(subject: ThrottleSubject): Promise<void> {
    const tracks = tracksOf(subject, this.#backoff)
    const { name, pair } = tracks
    const { known, failures } = this.#standings.get(pair.key) ?? (await this.#stand(tracks))
    const counted = [pair, ...(known === null ? [name] : [])].filter(({ key }) => (failures.get(key) ?? 0) > 0)
    const isFresh = known !== null && known.msBeforeNext > KNOWN_AGAIN_MS
    await Promise.all([
      ...counted.flatMap(({ key }) => [this.#counter.delete(`count:${key}`), this.#counter.delete(`wait:${key}`)]),
      ...(isFresh ? [] : [this.#counter.set(`known:${pair.key}`, 1, KNOWN_S)])
    ])
    await this.#release(tracks)
  }

  /** The attempt was neither: the verifier could not work. It does not count. */
  released(subject: ThrottleSubject): Promise<void> {
    return this.#release(tracksOf(subject, this.#backoff))
  }

  async #admit(tracks: Tracks, until: number): Promise<void> {
    for (;;) {
      const ended = this.#ended.promise
      const slots = await this.#hold(this.#slots, Object.values(tracks), 1)
      // Read behind the slot: a failure that ended before it shows here.
      let standing = await this.#stand(tracks)
      const contested = this.#contested(standing, slots)
      if (contested.length > 0) {
        for (const [key, claims] of await this.#claim(contested)) slots.set(key, claims + this.#unclaimed(key, slots))
        standing = await this.#stand(tracks)
      }
      if (standing.waitS === 0 && fits(standing, slots)) {
        this.#standings.set(tracks.pair.key, standing)
        return
      }
      await this.#giveBack(tracks)
      if (standing.waitS > 0) throw throttled(Math.min(standing.waitS, this.#backoff.capDelayS))
      if (this.#clock.now() >= until) throw throttled(1)
      await this.#waitForEnd(ended)
    }
  }

  /** One question for all that is counted of who tries. */
  async #stand({ name, pair, network }: Tracks): Promise<Standing> {
    const all = [pair, name, network]
    const keys = [`known:${pair.key}`, ...all.flatMap(({ key }) => [`count:${key}`, `wait:${key}`])]
    const [known = null, ...counts] = await countsOf(this.#counter, keys)
    const holding = known === null ? all : [pair]
    const failures = new Map(all.map(({ key }, index) => [key, counts[2 * index]?.consumedPoints ?? 0]))
    const waits = holding.map((_, index) => Math.ceil((counts[2 * index + 1]?.msBeforeNext ?? 0) / 1000))
    return { holding, failures, waitS: Math.max(0, ...waits), known }
  }

  /** Takes a slot in each count, or gives it back. @returns how many are taken of each */
  async #hold(counter: AttemptCounter, tracks: readonly Track[], slots: 1 | -1): Promise<Map<string, number>> {
    const held = tracks.map(async (track) => {
      const key = `held:${track.key}`
      const { consumedPoints } = await counter.penalty(key, slots, { customDuration: SLOT_S })
      // Below zero: the slots were forgotten meanwhile.
      if (consumedPoints < 0) await counter.delete(key)
      return [track.key, consumedPoints] as const
    })
    return new Map(await Promise.all(held))
  }

  /** The counts in which other instances have to see the slot: those with something to slow down, here or already. */
  #contested(standing: Standing, slots: ReadonlyMap<string, number>): readonly Track[] {
    if (this.#slots === this.#counter || standing.waitS > 0 || !fits(standing, slots)) return []
    return standing.holding.filter(({ key, backoff }) => {
      const others = (standing.failures.get(key) ?? 0) + (slots.get(key) ?? 1) - 1
      return others * CONTESTED_PART > backoff.freeAttempts
    })
  }

  /** Attempts of this process that no other instance sees. */
  #unclaimed(key: string, slots: ReadonlyMap<string, number>): number {
    return Math.max(0, (slots.get(key) ?? 0) - (this.#claimed.get(key) ?? 0))
  }

  #claim(tracks: readonly Track[]): Promise<ReadonlyMap<string, number>> {
    for (const { key } of tracks) this.#claimed.set(key, (this.#claimed.get(key) ?? 0) + 1)
    return this.#hold(this.#counter, tracks, 1)
  }

  /** A slot in every count, whichever held the attempt back: and what this process claimed and has no attempt for. */
  async #giveBack(tracks: Tracks): Promise<void> {
    const all: readonly Track[] = Object.values(tracks)
    const left = await this.#hold(this.#slots, all, -1)
    if ((left.get(tracks.pair.key) ?? 0) <= 0) this.#standings.delete(tracks.pair.key)
    const free = all.filter(({ key }) => (this.#claimed.get(key) ?? 0) > Math.max(0, left.get(key) ?? 0))
    for (const { key } of free) this.#claimed.set(key, (this.#claimed.get(key) ?? 0) - 1)
    for (const { key } of free) if (this.#claimed.get(key) === 0) this.#claimed.delete(key)
    await this.#hold(this.#counter, free, -1)
  }

  async #release(tracks: Tracks): Promise<void> {
    await this.#giveBack(tracks)
    this.#ended.resolve()
    this.#ended = newSignal()
  }

  /** Other processes end attempts as well: they are looked for from time to time. */
  async #waitForEnd(ended: Promise<void>): Promise<void> {
    let timer: unknown
    const look = new Promise<void>((resolve) => {
      timer = this.#clock.setTimeout(resolve, POLL_MS)
    })
    await Promise.race([ended, look])
    this.#clock.clearTimeout(timer)
  }

  async #count({ key, backoff }: Track): Promise<void> {
    const options = { customDuration: FORGET_S }
    const { consumedPoints } = await this.#counter.penalty(`count:${key}`, 1, options)
    const seconds = delayAfter(consumedPoints, backoff)
    if (seconds > 0) await this.#counter.set(`wait:${key}`, 1, seconds)
  }
}

/** Whether all attempts under way may fail: as many as are still free, and the one whose delay is over. */
function fits({ holding, failures }: Standing, slots: ReadonlyMap<string, number>): boolean {
  return holding.every(({ key, backoff }) => {
    const failed = failures.get(key) ?? 0
    return (slots.get(key) ?? 1) + failed <= Math.max(backoff.freeAttempts, failed) + 1
  })
}

function newSignal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** The refusal of who comes too early. @param seconds until it makes sense to come back, at least 1: its `Retry-After` */
export function throttled(seconds: number): Error {
  const retryAfter = String(Math.max(1, Math.ceil(seconds)))
  return Object.assign(new Throttled(), { headers: { 'retry-after': retryAfter } })
}
