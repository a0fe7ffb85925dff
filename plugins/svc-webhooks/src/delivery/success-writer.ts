/**
 * Successes on their way into the store of endpoints: the first of an endpoint is written at once, of those that follow
 * within a moment the last. A stored success costs a commit, which may take longer than the delivery did.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { WebhooksStore } from '../endpoints/endpoint-store.ts'
import { logStoreFailure } from '../store-calls.ts'

/** Between two successes of one endpoint, ms: so old its last delivery may look. */
const PAUSE_MS = 500

export interface SuccessParts {
  readonly store: Pick<WebhooksStore, 'recordSuccess'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

/** Of one endpoint, from the first success until a pause had none. */
interface Pace {
  /** The status of the last success that is not written; `null` where there is none. */
  waiting: number | null
  /** The endpoint was there when it was asked last. */
  known: boolean
  writing: Promise<unknown>
  timer: unknown
}

export class SuccessWriter {
  readonly #parts: SuccessParts
  readonly #paces = new Map<string, Pace>()

  constructor(parts: SuccessParts) {
    this.#parts = parts
  }

  /** @returns `false` when the endpoint was absent the last time it was asked. Rejects as the store does, where it was asked */
  record(id: string, status: number): Promise<boolean> {
    const pace = this.#paces.get(id)
    if (pace !== undefined) {
      pace.waiting = status
      return Promise.resolve(pace.known)
    }
    const first: Pace = { waiting: null, known: true, writing: Promise.resolve(), timer: null }
    this.#paces.set(id, first)
    return this.#write(id, first, status)
  }

  /** Resolves when no success of an endpoint waits: what comes after it stays after it. Never rejects. */
  async written(id: string): Promise<void> {
    const pace = this.#paces.get(id)
    if (pace === undefined) return
    await pace.writing.catch(() => undefined)
    await this.#writeLast(id, pace)
  }

  /** The endpoint is deleted: nothing of it waits, and the next success asks for it again. */
  forget(id: string): void {
    this.#parts.clock.clearTimeout(this.#paces.get(id)?.timer)
    this.#paces.delete(id)
  }

  /** Writes what waits. Never rejects. */
  async close(): Promise<void> {
    await Promise.all([...this.#paces.keys()].map((id) => this.written(id)))
    for (const { timer } of this.#paces.values()) this.#parts.clock.clearTimeout(timer)
    this.#paces.clear()
  }

  #write(id: string, pace: Pace, status: number): Promise<boolean> {
    const { store, clock } = this.#parts
    pace.waiting = null
    const write = store.recordSuccess(id, status).then((known) => {
      pace.known = known
      return known
    })
    const pause = () => {
      // Of an endpoint that was deleted meanwhile, nothing is paced.
      if (this.#paces.get(id) !== pace) return
      pace.timer = clock.setTimeout(() => void this.#next(id, pace), PAUSE_MS)
    }
    pace.writing = write.then(pause, pause)
    return write
  }

  async #next(id: string, pace: Pace): Promise<void> {
    if (pace.waiting === null) this.#paces.delete(id)
    else await this.#writeLast(id, pace)
  }

  async #writeLast(id: string, pace: Pace): Promise<void> {
    if (pace.waiting === null) return
    this.#parts.clock.clearTimeout(pace.timer)
    try {
      await this.#write(id, pace, pace.waiting)
    } catch (error) {
      logStoreFailure(this.#parts.log, error, 'the outcome of a webhook delivery could not be recorded', id)
    }
  }
}
