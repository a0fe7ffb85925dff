/**
 * What has to be stored before an answer leaves. A request waits for the last event that was recorded in its ambient
 * context, and after that for the subscribers that store what follows from it; these may have begun before. Requests that end
 * together share a write.
 */
import type { FastifyReply, onSendHookHandler } from 'fastify'
import { currentRequest } from 'svc-kernel'
import { AuditUnstored } from '../errors.ts'
import type { Listeners } from './listeners.ts'
import type { StoreWriter } from './store-writer.ts'

/** Headers that the withheld answer had set: what they tell, or hand out, does not leave either. */
const WITHHELD = ['set-cookie', 'location', 'etag', 'last-modified', 'cache-control', 'content-encoding', 'link']

export interface DurabilityParts {
  /** `null` where memory is all there is: an event is then stored when it is recorded. */
  readonly writer: Pick<StoreWriter, 'storedUpTo' | 'added'> | null
  readonly listeners: Pick<Listeners, 'flush'>
}

export class Durability {
  readonly #parts: DurabilityParts
  /** By request: the position of the last event that was recorded for it. */
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

  /** @returns `null` where the request recorded nothing since it was last asked */
  storedFor(request: object): Promise<void> | null {
    const position = this.#last.get(request)
    if (position === undefined) return null
    this.#last.delete(request)
    return this.#stored(position)
  }

  /** All that was recorded until now. */
  flushed(): Promise<void> {
    return this.#stored(this.#parts.writer?.added ?? 0)
  }

  async #stored(position: number): Promise<void> {
    if (position === Number.POSITIVE_INFINITY) throw new AuditUnstored()
    await this.#parts.writer?.storedUpTo(position)
    await this.#parts.listeners.flush()
  }
}

/** An `onSend` hook: the answer waits; what cannot be stored turns it into the error (503). */
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
          // `done` writes the answer on this stack: what that throws would be heard by nobody else.
          done(error as Error)
        }
      },
      (error: Error) => {
        withhold(reply, payload)
        // An answer that was an error already keeps its status unless it is told another.
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
