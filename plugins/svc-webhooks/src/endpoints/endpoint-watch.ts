/**
 * What other instances change of the endpoints, known here within a second: at once where they can tell; else the version
 * is asked for once a second, one row by its key, and a new one loads them. What fails is asked again a second later; the
 * snapshot's own age is the bound.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { Changes } from 'svc-queue/driver'
import { inTime, logStoreFailure } from '../store-calls.ts'
import type { EndpointVersion } from './endpoint-version.ts'

const ASKED_MS = 1_000

export interface WatchParts {
  /** `null`: no database keeps one. */
  readonly version: EndpointVersion | null
  readonly changes: Changes | null
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
  #unsubscribe: (() => void) | null = null

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  start(): void {
    this.#unsubscribe = this.#parts.changes?.subscribe(() => void this.#reload()) ?? null
    this.#soon()
  }

  /** This instance changed an endpoint: the others are told. */
  changed(): void {
    const { version, changes, clock, log } = this.#parts
    const tell = async () => {
      await version?.increment()
      await changes?.announce()
    }
    inTime(clock, tell).catch((error: unknown) => {
      logStoreFailure(log, error, 'other instances could not be notified of changed webhook endpoints')
    })
  }

  stop(): void {
    this.#stopped = true
    this.#unsubscribe?.()
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
  }

  #soon(): void {
    if (this.#stopped || this.#parts.version === null) return
    this.#timer = this.#parts.clock.setTimeout(() => void this.#ask(), ASKED_MS)
  }

  async #ask(): Promise<void> {
    const { version, reload, clock, log } = this.#parts
    this.#timer = null
    if (version === null) return
    try {
      const now = await inTime(clock, () => version.read())
      // The first one is not known to be new: the endpoints may have been loaded before it.
      if (now !== this.#known && !this.#stopped) await reload()
      this.#known = now
    } catch (error) {
      logStoreFailure(log, error, 'the version of the webhook endpoints could not be read')
    }
    this.#soon()
  }

  /** One that was told. */
  async #reload(): Promise<void> {
    const { reload, log } = this.#parts
    try {
      if (!this.#stopped) await reload()
    } catch (error) {
      logStoreFailure(log, error, 'changed webhook endpoints could not be loaded')
    }
  }
}
