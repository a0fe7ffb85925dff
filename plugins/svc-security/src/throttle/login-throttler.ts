/**
 * Slows guessing down, for every way in that takes a password or a code. Failures
 * are counted per name, per name and network, and per network; each count has its
 * own growing delay. A blocked attempt never reaches the verifier and is not counted.
 * A network from which the name has logged in before is only held by its own
 * failures: who guesses from elsewhere cannot lock the owner out of it.
 */
import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { Throttled } from '../errors.ts'
import { readableError } from '../journal/readable-error.ts'
import { throttleName } from '../users/login-name.ts'
import type { AttemptCounter, Count } from './attempt-counter.ts'
import { type Backoff, delayAfter } from './backoff.ts'
import { clientNetwork } from './client-network.ts'
import { Turns } from './turns.ts'

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

interface Track {
  readonly key: string
  readonly backoff: Backoff
}

export class LoginThrottler {
  readonly #counter: AttemptCounter
  readonly #insurance: AttemptCounter
  readonly #backoff: Backoff
  readonly #log: FastifyBaseLogger
  readonly #turns = new Turns()
  #insured = false

  /** @param parts.insurance counts while `counter` fails, so that a lost database never means unlimited guesses */
  constructor(
    backoff: Backoff,
    parts: { readonly counter: AttemptCounter; readonly insurance: AttemptCounter; readonly log: FastifyBaseLogger }
  ) {
    this.#backoff = backoff
    this.#counter = parts.counter
    this.#insurance = parts.insurance
    this.#log = parts.log
  }

  /**
   * Before a verifier is asked. The attempt counts from here on, so that attempts sent at once
   * are not all free; `succeeded` or `released` takes it back.
   *
   * @throws Throttled (429) with `Retry-After` in seconds
   */
  async check(subject: ThrottleSubject): Promise<void> {
    await this.#turns.take(throttleName(subject.identifier), async () => {
      const tracks = await this.#tracks(subject)
      const waits = await Promise.all(tracks.map(({ key }) => this.#ask((counter) => counter.get(`wait:${key}`))))
      const seconds = Math.max(0, ...waits.map(secondsLeft))
      if (seconds > 0) throw throttled(Math.min(seconds, this.#backoff.capDelayS))
      await Promise.all(tracks.map((track) => this.#count(track)))
    })
  }

  /** The attempt failed: its delays begin now. */
  async failed(subject: ThrottleSubject): Promise<void> {
    const tracks = await this.#tracks(subject)
    await Promise.all(tracks.map((track) => this.#delay(track)))
  }

  /** The attempt held: the name starts anew, and the network is known to it. */
  async succeeded(subject: ThrottleSubject): Promise<void> {
    const { name, pair, network } = this.#all(subject)
    const known = await this.#isKnown(pair)
    await Promise.all([
      ...[pair, ...(known ? [] : [name])].flatMap(({ key }) => [
        this.#forget(`count:${key}`),
        this.#forget(`wait:${key}`)
      ]),
      ...(known ? [] : [this.#takeBack(network)]),
      this.#ask((counter) => counter.set(`known:${pair.key}`, 1, KNOWN_S))
    ])
  }

  /** The attempt was neither: the verifier could not work. It does not count. */
  async released(subject: ThrottleSubject): Promise<void> {
    await Promise.all((await this.#tracks(subject)).map((track) => this.#takeBack(track)))
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
    return (await this.#ask((counter) => counter.get(`known:${key}`))) !== null
  }

  async #count(track: Track): Promise<void> {
    const { consumedPoints } = await this.#ask((counter) =>
      counter.penalty(`count:${track.key}`, 1, { customDuration: FORGET_S })
    )
    await this.#wait(track, consumedPoints)
  }

  async #delay(track: Track): Promise<void> {
    const count = await this.#ask((counter) => counter.get(`count:${track.key}`))
    await this.#wait(track, count?.consumedPoints ?? 0)
  }

  async #wait({ key, backoff }: Track, failures: number): Promise<void> {
    const seconds = delayAfter(failures, backoff)
    if (seconds > 0) await this.#ask((counter) => counter.set(`wait:${key}`, 1, seconds))
  }

  async #takeBack({ key }: Track): Promise<void> {
    const { consumedPoints } = await this.#ask((counter) =>
      counter.penalty(`count:${key}`, -1, { customDuration: FORGET_S })
    )
    if (consumedPoints <= 0) await this.#forget(`count:${key}`)
    await this.#forget(`wait:${key}`)
  }

  #forget(key: string): Promise<boolean> {
    return this.#ask((counter) => counter.delete(key))
  }

  async #ask<T>(question: (counter: AttemptCounter) => Promise<T>): Promise<T> {
    try {
      const answer = await question(this.#counter)
      this.#insured = false
      return answer
    } catch (error) {
      const told = { code: 'SVC_SEC_THROTTLE_STORE', error: readableError(error) }
      if (!this.#insured) this.#log.error(told, 'the counter of login attempts failed; they are counted in memory')
      this.#insured = true
      return question(this.#insurance)
    }
  }
}

/** Names come from outside: hashed, they have one length, and no store shows who tried to log in. */
function digest(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

function secondsLeft(count: Count | null): number {
  return count === null ? 0 : Math.ceil(count.msBeforeNext / 1000)
}

function throttled(seconds: number): Error {
  const retryAfter = String(Math.max(1, seconds))
  return Object.assign(new Throttled(), { headers: { 'retry-after': retryAfter } })
}
