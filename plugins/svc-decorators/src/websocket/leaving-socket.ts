/**
 * A socket that was asked to leave closes with 1012 as soon as it is idle: all that has arrived is answered, and the
 * answers are on their way. A client thus knows that a frame without an answer was not served, and sends it again elsewhere.
 */
import { SERVICE_RESTART } from 'svc-kernel/plugin'
import type { WebSocket } from 'ws'

const OPEN = 1

/** Made when the drain asks. Call `look()` then, and whenever work ends. */
export class LeavingSocket {
  readonly #socket: WebSocket
  readonly #isIdle: () => boolean
  readonly #close: (code: number, reason: string) => void
  #looking = false

  /** @param isIdle nothing that was received still waits or runs */
  constructor(socket: WebSocket, isIdle: () => boolean, close: (code: number, reason: string) => void) {
    this.#socket = socket
    this.#isIdle = isIdle
    this.#close = close
  }

  /** Closes the socket unless it is at work. */
  look(): void {
    const socket = this.#socket
    if (this.#looking || socket.readyState !== OPEN || !this.#isIdle()) return
    this.#looking = true
    // A turn of the event loop, in which frames that have arrived are read.
    const turn = (): void => {
      setImmediate(() => this.#decide())
    }
    // ws cuts who does not answer the close in time: what was answered must be written before.
    if (socket.bufferedAmount > 0) socket.ping(undefined, undefined, turn)
    else turn()
  }

  #decide(): void {
    this.#looking = false
    if (this.#socket.readyState !== OPEN || !this.#isIdle()) return
    if (this.#socket.bufferedAmount > 0) this.look()
    else this.#close(SERVICE_RESTART, 'the server restarts')
  }
}
