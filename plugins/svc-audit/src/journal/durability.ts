/**
 * Decides what must be stored before an answer is sent. A request waits for the last event recorded in its context,
 * then for the subscribers that store what follows from it, which may have started earlier. Requests that end together
 * share a write.
 */
import type { FastifyReply, onSendHookHandler } from 'fastify'
import { currentRequest } from 'svc-kernel'
import { AuditUnstored } from '../errors.ts'
import type { Listeners } from './listeners.ts'
import type { StoreWriter } from './store-writer.ts'

/** Headers of the withheld answer that are removed too, because of what they reveal or hand out. */
const WITHHELD = ['set-cookie', 'location', 'etag', 'last-modified', 'cache-control', 'content-encoding', 'link']

export interface DurabilityParts {
  /** `null` if events are stored in memory only: an event then counts as stored at once. */
  readonly writer: Pick<StoreWriter, 'storedUpTo' | 'added'> | null
  readonly listeners: Pick<Listeners, 'flush'>
}

export class Durability {
  readonly #parts: DurabilityParts
  /** By request: the position of its last recorded event. */
  readonly #last = new WeakMap<object, number>()

  constructor(parts: DurabilityParts) {
    this.#parts = parts
  }

  /** @param position of the event just recorded, as the writer counts; 0 without one */
  recorded(position: number): void {
    const request = currentRequest()
    if (request === undefined) return
    this.#last.set(request, Math.max(position, this.#last.get(request) ?? 0))
  }

  /** What follows from the event just recorded is lost. */
  refused(): void {
    this.recorded(Number.POSITIVE_INFINITY)
  }

  /** @returns `null` if the request recorded nothing since the last call */
  storedFor(request: object): Promise<void> | null {
    const position = this.#last.get(request)
    if (position === undefined) return null
    this.#last.delete(request)
    return this.#stored(position)
  }

  /** Everything recorded until now. */
  flushed(): Promise<void> {
    return this.#stored(this.#parts.writer?.added ?? 0)
  }

  async #stored(position: number): Promise<void> {
    if (position === Number.POSITIVE_INFINITY) throw new AuditUnstored()
    await this.#parts.writer?.storedUpTo(position)
    await this.#parts.listeners.flush()
  }
}

/** An `onSend` hook that delays the answer until its events are stored, or replaces it with a 503. */
export function storedBeforeAnswer(durability: Pick<Durability, 'storedFor'>): onSendHookHandler<unknown> {
  return function storedBeforeAnswer(request, reply, payload, done) {
    const stored = durability.storedFor(request)
    if (stored === null) {
      done(null, payload)
      return
    }
    stored.then(
      () => {
        try {
          done(null, payload)
        } catch (error) {
          // `done` writes the answer on this stack, so this also has to catch its errors.
          done(error as Error)
        }
      },
      (error: Error) => {
        withhold(reply, payload)
        // An answer that was an error already keeps its status.
        reply.code(503)
        done(error)
      }
    )
  }
}

function withhold(reply: FastifyReply, payload: unknown): void {
  for (const name of WITHHELD) reply.removeHeader(name)
  if (typeof (payload as { destroy?: unknown } | null)?.destroy === 'function') {
    ;(payload as { destroy(): void }).destroy()
  }
}
