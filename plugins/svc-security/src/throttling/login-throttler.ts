/**
 * Slows guessing down, for every way in that takes a password or a code. Failures
 * are counted per name, per name and network, and per network; each count has its
 * own growing delay. A blocked attempt never reaches the verifier and is not counted.
 * An attempt under way holds a slot among the failures that are still free, and gives
 * it back when it holds: who comes when all are taken waits for one of them to end.
 * A network from which the name has logged in before is only held by its own
 * failures: who guesses from elsewhere cannot lock the owner out of it.
 */
import { createHash } from 'node:crypto'
import { type Clock, clientNetwork, systemClock } from 'svc-kernel'
import { Throttled } from '../errors.ts'
import { KeyedMutex } from '../promises/work-queue.ts'
import type { AttemptCounter } from './attempt-counter.ts'

/** How long one waits after so many failures in a row. */
export interface Backoff {
  /** Failures that cost nothing. */
  readonly freeAttempts: number
  /** Seconds after the first one beyond; doubles with each further one. */
  readonly baseDelayS: number
  /** No delay is longer, in seconds. */
  readonly capDelayS: number
}

/** Who tries: the submitted name, whether or not it exists, and the address it came from. */
export interface ThrottleSubject {
  readonly identifier: string
  readonly ip: string
}

/** A network serves many people, and guesses at many names: it may fail this many times as often as one name. */
const NETWORK_FACTOR = 10

/** Failures are forgotten after this time without a login, in seconds. */
const FORGET_S = 86_400

/** How long a network stays known to a name, in seconds: less than the longest timer of Node (24.8 days), with which some limiters forget. */
const KNOWN_S = 24 * 86_400

/** A slot that is never given back, by a process that died, is free again after this time, in seconds. */
const SLOT_S = 60

/** How long an attempt waits for a slot, and how often it looks for those of other processes, in milliseconds. */
const MAX_WAIT_MS = 10_000
const POLL_MS = 100

/** How many attempts at one name wait in this process, and how many at all; a further one is asked to come back. */
const MAX_WAITING = 100
const MAX_WAITING_IN_ALL = 1000

/** One count of failures. */
interface Track {
  readonly key: string
  readonly backoff: Backoff
}

type Tracks = Readonly<Record<'name' | 'pair' | 'network', Track>>

export class LoginThrottler {
  readonly #counter: AttemptCounter
  readonly #backoff: Backoff
  readonly #clock: Clock
  readonly #mutex = new KeyedMutex()
  #waiting = 0
  /** Resolved when an attempt of this process ends, then replaced. */
  #ended = newSignal()

  /** @param counter one that does not fail: `InsuredCounter` */
  constructor(backoff: Backoff, counter: AttemptCounter, clock: Clock = systemClock) {
    this.#backoff = backoff
    this.#counter = counter
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
    const tracks = this.#tracksOf(subject)
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
    const tracks = this.#tracksOf(subject)
    await Promise.all((await this.#holding(tracks)).map((track) => this.#count(track)))
    await this.#release(tracks)
  }

  /** The attempt held: the name starts anew, and the network is known to it. */
  async succeeded(subject: ThrottleSubject): Promise<void> {
    const tracks = this.#tracksOf(subject)
    const { name, pair } = tracks
    const known = await this.#isKnown(pair)
    await Promise.all([
      ...[pair, ...(known ? [] : [name])].flatMap(({ key }) => [
        this.#counter.delete(`count:${key}`),
        this.#counter.delete(`wait:${key}`)
      ]),
      this.#counter.set(`known:${pair.key}`, 1, KNOWN_S)
    ])
    await this.#release(tracks)
  }

  /** The attempt was neither: the verifier could not work. It does not count. */
  released(subject: ThrottleSubject): Promise<void> {
    return this.#release(this.#tracksOf(subject))
  }

  async #admit(tracks: Tracks, until: number): Promise<void> {
    for (;;) {
      const ended = this.#ended.promise
      const slots = await this.#hold(tracks, 1)
      // Read behind the slot: a failure that ended before it shows here.
      const holding = await this.#holding(tracks)
      const waits = await Promise.all(holding.map(({ key }) => this.#counter.get(`wait:${key}`)))
      const seconds = Math.max(0, ...waits.map((wait) => Math.ceil((wait?.msBeforeNext ?? 0) / 1000)))
      if (seconds === 0 && (await this.#allFit(holding, slots))) return
      await this.#hold(tracks, -1)
      if (seconds > 0) throw throttled(Math.min(seconds, this.#backoff.capDelayS))
      if (this.#clock.now() >= until) throw throttled(1)
      await this.#waitForEnd(ended)
    }
  }

  /**
   * Takes a slot in every count, or gives it back, whichever hold this attempt back: which those are may change meanwhile.
   *
   * @returns how many are taken of each
   */
  async #hold(tracks: Tracks, slots: 1 | -1): Promise<ReadonlyMap<Track, number>> {
    const held = Object.values(tracks).map(async (track: Track) => {
      const key = `held:${track.key}`
      const { consumedPoints } = await this.#counter.penalty(key, slots, { customDuration: SLOT_S })
      // Below zero: the slots were forgotten meanwhile.
      if (consumedPoints < 0) await this.#counter.delete(key)
      return [track, consumedPoints] as const
    })
    return new Map(await Promise.all(held))
  }

  /** Whether all attempts under way may fail: as many as are still free, and the one whose delay is over. */
  async #allFit(holding: readonly Track[], slots: ReadonlyMap<Track, number>): Promise<boolean> {
    const counts = await Promise.all(holding.map(({ key }) => this.#counter.get(`count:${key}`)))
    return holding.every((track, index) => {
      const failures = counts[index]?.consumedPoints ?? 0
      return (slots.get(track) ?? 1) + failures <= Math.max(track.backoff.freeAttempts, failures) + 1
    })
  }

  async #release(tracks: Tracks): Promise<void> {
    await this.#hold(tracks, -1)
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

  /** The counts that hold an attempt back. */
  async #holding({ name, pair, network }: Tracks): Promise<Track[]> {
    return (await this.#isKnown(pair)) ? [pair] : [name, pair, network]
  }

  #tracksOf({ identifier, ip }: ThrottleSubject): Tracks {
    const backoff = this.#backoff
    const [name, network] = [throttleName(identifier), clientNetwork(ip)]
    const wide = { ...backoff, freeAttempts: backoff.freeAttempts * NETWORK_FACTOR }
    return {
      name: { key: digest('name', name), backoff },
      pair: { key: digest('pair', name, network), backoff },
      network: { key: digest('network', network), backoff: wide }
    }
  }

  async #isKnown({ key }: Track): Promise<boolean> {
    return (await this.#counter.get(`known:${key}`)) !== null
  }

  async #count({ key, backoff }: Track): Promise<void> {
    const options = { customDuration: FORGET_S }
    const { consumedPoints } = await this.#counter.penalty(`count:${key}`, 1, options)
    const seconds = delayAfter(consumedPoints, backoff)
    if (seconds > 0) await this.#counter.set(`wait:${key}`, 1, seconds)
  }
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

/** @returns seconds; 0 while attempts are free */
export function delayAfter(failures: number, { freeAttempts, baseDelayS, capDelayS }: Backoff): number {
  const beyond = failures - freeAttempts
  if (beyond <= 0) return 0
  // 2 ** 1024 is no number any more; long before that the cap holds.
  return Math.min(capDelayS, baseDelayS * 2 ** Math.min(beyond - 1, 52))
}

/** A name as attempts at it are counted: case and blanks are folded, so that no spelling gets attempts of its own. */
export function throttleName(given: string): string {
  return given.normalize('NFKC').trim().toLowerCase()
}

/** Names come from outside: hashed, they have one length, and no store shows who tried to log in. */
function digest(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
