/**
 * One connection to one checked set of addresses, for one delivery at a time.
 * It serves again where an answer was read to its end; after anything else it
 * is destroyed, also while it still connects.
 */
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { Client } from 'undici'
import type { CheckedTarget } from '../ssrf/url-guard.ts'
import { type Answer, AnswerReader } from './answer-reader.ts'
import type { AttemptLimit } from './attempt-limit.ts'
import type { DeliveryRequest } from './attempt-result.ts'
import { openPinnedSocket } from './pinned-socket.ts'

/** How long an idle connection stays; a receiver's own hint may say less, or a little more. */
const IDLE_MS = 4000
const IDLE_AT_MOST_MS = 10_000

const HEADER_BYTES = 16_384

export class PinnedConnection {
  readonly key: string
  readonly #client: Client
  #socket: Socket | null = null
  /** Bytes received before the delivery under way; `null` while the connection has not served any. */
  #receivedBefore: number | null = null
  #served = 0

  /** @param key of origin and addresses: deliveries to the same may share the connection */
  constructor(key: string, target: CheckedTarget, secureContext: SecureContext) {
    this.key = key
    this.#client = new Client(target.url.origin, {
      connect: (_options, callback) => {
        const socket = openPinnedSocket(target, secureContext, (error) => {
          if (error === null) callback(null, socket)
          else callback(error, null)
        })
        this.#socket = socket
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_AT_MOST_MS
    })
  }

  get isOpen(): boolean {
    return this.#socket !== null && !this.#socket.destroyed
  }

  /**
   * Of a delivery that failed: the connection had served before, and not a byte of an answer came. The receiver may
   * have closed it while it was idle.
   */
  get wasStale(): boolean {
    return this.#receivedBefore !== null && this.#socket?.bytesRead === this.#receivedBefore
  }

  /** Calls `gone` when the connection ends, by whichever side. */
  onceGone(gone: () => void): void {
    this.#client.once('disconnect', gone)
  }

  /** Sends a POST and reads its answer. Rejects, with the connection destroyed, when there is none. */
  post(path: string, { headers, body }: DeliveryRequest, limit: AttemptLimit): Promise<Answer> {
    this.#receivedBefore = this.#served === 0 ? null : (this.#socket?.bytesRead ?? null)
    this.#served += 1
    return new Promise((resolve, reject) => {
      // Settled first: what undici reports of the destruction is no longer heard.
      const fail = (error: Error) => {
        reject(error)
        void this.destroy()
      }
      const done = (answer: Answer) => {
        resolve(answer)
        if (!answer.complete) void this.destroy()
      }
      // The limit covers the whole attempt; undici's own time limits start anew with each byte.
      const options = { method: 'POST', path, headers, body, headersTimeout: 0, bodyTimeout: 0 }
      limit.whenReached(fail)
      this.#client.dispatch(options, new AnswerReader(done, fail))
    })
  }

  /** Resolves when the socket is closed. */
  async destroy(): Promise<void> {
    // undici knows a socket only once it is connected.
    this.#socket?.destroy()
    await this.#client.destroy()
  }
}
