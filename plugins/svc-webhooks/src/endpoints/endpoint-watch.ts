/**
 * What other instances change of the endpoints, known here within a second: the version is asked for once a second, one
 * row by its key, and a new one loads them. What fails is asked again a second later; the snapshot's own age is the bound.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, withTimeout } from 'svc-kernel'
import { StoreTimeout } from '../errors.ts'
import { logStoreFailure } from './endpoint-store.ts'
import type { EndpointVersion } from './endpoint-version.ts'

const ASKED_MS = 1_000
const DEADLINE_MS = 10_000

export interface WatchParts {
  readonly version: EndpointVersion
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Loads the endpoints. */
  readonly reload: () => Promise<void>
}

export class EndpointWatch {
  readonly #parts: WatchParts
  #known: number | null = null
  #timer: unknown = null
  #stopped = false

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  start(): void {
    this.#soon()
  }

  /** This instance changed an endpoint: the others are told. */
  changed(): void {
    const { version, log } = this.#parts
    this.#timed(() => version.increment()).catch((error: unknown) => {
      logStoreFailure(log, error, 'other instances were not told that the endpoints of webhooks changed')
    })
  }

  stop(): void {
    this.#stopped = true
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
  }

  #soon(): void {
    if (this.#stopped) return
    this.#timer = this.#parts.clock.setTimeout(() => void this.#ask(), ASKED_MS)
  }

  async #ask(): Promise<void> {
    const { version, reload, log } = this.#parts
    this.#timer = null
    try {
      const now = await this.#timed(() => version.read())
      // The first one is not known to be new: the endpoints may have been loaded before it.
      if (now !== this.#known && !this.#stopped) await reload()
      this.#known = now
    } catch (error) {
      logStoreFailure(log, error, 'the version of the webhook endpoints could not be read')
    }
    this.#soon()
  }

  #timed<Value>(work: () => Promise<Value>): Promise<Value> {
    return withTimeout(DEADLINE_MS, this.#parts.clock, work, () => new StoreTimeout(String(DEADLINE_MS)))
  }
}
