/**
 * Reads one answer, and no more of it than a record keeps: status and the
 * first 2 KB of the body as the receiver wrote them, never decompressed. An
 * answer beyond 64 KB, or one that never gets past its interim answers, is cut
 * off together with its connection.
 */
import { type Dispatcher, errors } from 'undici'

const KEPT_BYTES = 2048
const READ_BYTES = 65_536

/** Interim answers (1xx) of which a receiver may send a few. */
const MOST_INTERIM = 8

export interface Answer {
  readonly status: number
  readonly body: string
  /** The header `Retry-After`, as received. */
  readonly retryAfter: string | null
  /** Read to its end: the connection may serve again. */
  readonly complete: boolean
}

export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #done: (answer: Answer) => void
  readonly #failed: (error: Error) => void
  readonly #kept: Buffer[] = []
  #keptBytes = 0
  #readBytes = 0
  #interim = 0
  #status = 0
  #retryAfter: string | null = null

  constructor(done: (answer: Answer) => void, failed: (error: Error) => void) {
    this.#done = done
    this.#failed = failed
  }

  onRequestStart(): void {
    // Asked for by undici; there is nothing to begin.
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>
  ): void {
    if (status >= 200) {
      this.#status = status
      const { 'retry-after': retryAfter } = headers
      this.#retryAfter = typeof retryAfter === 'string' ? retryAfter : null
    } else if (++this.#interim > MOST_INTERIM)
      this.#failed(new errors.HeadersOverflowError('interim answers without end'))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#readBytes += chunk.length
    const room = KEPT_BYTES - this.#keptBytes
    if (room > 0) {
      // A copy: a part of the chunk would hold the whole of it in memory.
      const part = Buffer.from(chunk.subarray(0, room))
      this.#kept.push(part)
      this.#keptBytes += part.length
    }
    if (this.#readBytes > READ_BYTES) this.#finish(false)
  }

  onResponseEnd(): void {
    this.#finish(true)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#failed(error)
  }

  #finish(complete: boolean): void {
    this.#done({ status: this.#status, body: this.#text(), retryAfter: this.#retryAfter, complete })
  }

  /** Cut between characters: what a cut leaves of the last one is dropped. */
  #text(): string {
    const isCut = this.#readBytes > this.#keptBytes
    return new TextDecoder().decode(Buffer.concat(this.#kept), { stream: isCut })
  }
}
