/**
 * Slows guessing down, for every way in that takes a password or a code. Failures
 * are counted per name, per name and network, and per network; each count has its
 * own growing delay. A blocked attempt never reaches the verifier and is not counted.
 * An attempt under way holds a place among the failures that are still free, and gives
 * it back when it holds: who comes when all are taken waits for one of them to end.
 * A network from which the name has logged in before is only held by its own
 * failures: who guesses from elsewhere cannot lock the owner out of it.
 */
import { createHash } from 'node:crypto'
import { type Clock, systemClock } from 'svc-kernel'
import { throttleName } from '../users/login-name.ts'
import type { AttemptCounter, Count } from './attempt-counter.ts'
import { type Backoff, delayAfter } from './backoff.ts'
import { clientNetwork } from './client-network.ts'
import { Turns } from './keyed-mutex.ts'
import { throttled } from './throttled.ts'

/** Who tries: the submitted name, whether or not it exists, and the address it came from. */
export interface ThrottleSubject {
  readonly identifier: string
  readonly ip: string
}

/** A network serves many people, and guesses at many names: it may fail this many times as often as one name. */
const NETWORK_FACTOR = 10

/** Failures are forgotten after this time without a login, in seconds. */
const FORGET_S = 86_400

/** How long a network stays known to a name, in seconds. */
const KNOWN_S = 30 * 86_400

/** A place that is never given back, by a process that died, is free again after this time, in seconds. */
const PLACE_S = 60

/** How long an attempt waits for a place, and how often it looks for those of other processes, in milliseconds. */
const PATIENCE_MS = 10_000
const LOOK_MS = 100

/** How many attempts at one name wait in this process, and how many at all; a further one is asked to come back. */
const MAX_WAITING = 100
const MAX_WAITING_AT_ALL = 1000

interface Track {
  readonly key: string
  readonly backoff: Backoff
}

export class LoginThrottler {
  readonly #counter: AttemptCounter
  readonly #backoff: Backoff
  readonly #clock: Clock
  readonly #turns = new Turns()
  #waiting = 0
  /** Resolved when an attempt of this process ends, then replaced. */
  #ended: Promise<void>
  #end!: () => void

  /** @param counter one that does not fail: `InsuredCounter` */
  constructor(backoff: Backoff, counter: AttemptCounter, clock: Clock = systemClock) {
    this.#backoff = backoff
    this.#counter = counter
    this.#clock = clock
    this.#ended = this.#nextEnd()
  }

  /**
   * Before a verifier is asked. The attempt holds a place from here on, so that attempts sent at once
   * are not all free; `failed`, `succeeded` or `released` gives it back.
   *
   * @throws Throttled (429) with `Retry-After` in seconds
   */
  async check(subject: ThrottleSubject): Promise<void> {
    const until = this.#clock.now() + PATIENCE_MS
    const name = throttleName(subject.identifier)
    if (this.#turns.waiting(name) >= MAX_WAITING || this.#waiting >= MAX_WAITING_AT_ALL) throw throttled(1)
    this.#waiting += 1
    try {
      await this.#turns.take(name, () => this.#placeFor(subject, until))
    } finally {
      this.#waiting -= 1
    }
  }

  /** The attempt failed: its delays begin now. */
  async failed(subject: ThrottleSubject): Promise<void> {
    const tracks = await this.#tracks(subject)
    await Promise.all(tracks.map((track) => this.#count(track)))
    await this.#leave(subject)
  }

  /** The attempt held: the name starts anew, and the network is known to it. */
  async succeeded(subject: ThrottleSubject): Promise<void> {
    const { name, pair } = this.#all(subject)
    const known = await this.#isKnown(pair)
    await Promise.all([
      ...[pair, ...(known ? [] : [name])].flatMap(({ key }) => [
        this.#counter.delete(`count:${key}`),
        this.#counter.delete(`wait:${key}`)
      ]),
      this.#counter.set(`known:${pair.key}`, 1, KNOWN_S)
    ])
    await this.#leave(subject)
  }

  /** The attempt was neither: the verifier could not work. It does not count. */
  released(subject: ThrottleSubject): Promise<void> {
    return this.#leave(subject)
  }

  async #placeFor(subject: ThrottleSubject, until: number): Promise<void> {
    for (;;) {
      const ended = this.#ended
      const places = await this.#enter(subject)
      // Read behind the place: a failure that ended before it shows here.
      const tracks = await this.#tracks(subject)
      const waits = await Promise.all(tracks.map(({ key }) => this.#counter.get(`wait:${key}`)))
      const seconds = Math.max(0, ...waits.map(secondsLeft))
      if (seconds === 0 && (await this.#allFit(tracks, places))) return
      await this.#giveBack(subject)
      if (seconds > 0) throw throttled(Math.min(seconds, this.#backoff.capDelayS))
      if (this.#clock.now() >= until) throw throttled(1)
      await this.#someEnd(ended)
    }
  }

  /** Takes a place in every count, whichever hold this attempt back: which those are may change meanwhile. */
  async #enter(subject: ThrottleSubject): Promise<ReadonlyMap<string, number>> {
    const keys = Object.values(this.#all(subject)).map(({ key }) => key)
    const places = await Promise.all(keys.map((key) => this.#hold(key, 1)))
    return new Map(keys.map((key, index) => [key, places[index] ?? 1]))
  }

  async #allFit(tracks: readonly Track[], places: ReadonlyMap<string, number>): Promise<boolean> {
    const failures = await Promise.all(tracks.map(({ key }) => this.#counter.get(`count:${key}`)))
    return tracks.every(({ key, backoff }, index) =>
      fits(places.get(key) ?? 1, failures[index]?.consumedPoints ?? 0, backoff)
    )
  }

  async #leave(subject: ThrottleSubject): Promise<void> {
    await this.#giveBack(subject)
    this.#end()
    this.#ended = this.#nextEnd()
  }

  #nextEnd(): Promise<void> {
    return new Promise((resolve) => {
      this.#end = resolve
    })
  }

  async #giveBack(subject: ThrottleSubject): Promise<void> {
    await Promise.all(
      Object.values(this.#all(subject)).map(async ({ key }) => {
        // Less than nothing: the places were forgotten meanwhile.
        if ((await this.#hold(key, -1)) < 0) await this.#counter.delete(`held:${key}`)
      })
    )
  }

  async #hold(key: string, places: number): Promise<number> {
    const options = { customDuration: PLACE_S }
    return (await this.#counter.penalty(`held:${key}`, places, options)).consumedPoints
  }

  /** Other processes end attempts as well: they are looked for from time to time. */
  async #someEnd(ended: Promise<void>): Promise<void> {
    let timer: unknown
    const look = new Promise<void>((resolve) => {
      timer = this.#clock.setTimeout(resolve, LOOK_MS)
    })
    await Promise.race([ended, look])
    this.#clock.clearTimeout(timer)
  }

  /** What holds this attempt back. */
  async #tracks(subject: ThrottleSubject): Promise<Track[]> {
    const { name, pair, network } = this.#all(subject)
    return (await this.#isKnown(pair)) ? [pair] : [name, pair, network]
  }

  #all({ identifier, ip }: ThrottleSubject): { name: Track; pair: Track; network: Track } {
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

/** Names come from outside: hashed, they have one length, and no store shows who tried to log in. */
function digest(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** Whether all attempts under way may fail: as many as are still free, and the one whose delay is over. */
function fits(places: number, failures: number, { freeAttempts }: Backoff): boolean {
  return places + failures <= Math.max(freeAttempts, failures) + 1
}

function secondsLeft(count: Count | null): number {
  return count === null ? 0 : Math.ceil(count.msBeforeNext / 1000)
}
