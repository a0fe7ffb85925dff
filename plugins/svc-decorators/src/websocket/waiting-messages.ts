/** Messages that wait for the one being served. The socket is paused while they exceed their bounds. */
import type { WebSocket } from 'ws'

/** Messages that may wait behind a running one before the socket is paused. */
const MAX_WAITING = 32

/** Bytes that may wait behind a running one before the socket is paused. */
const MAX_WAITING_BYTES = 65_536

interface WaitingMessage {
  readonly data: Buffer
  readonly isBinary: boolean
}

export class WaitingMessages {
  #messages: WaitingMessage[] = []
  #first = 0
  #bytes = 0
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0
  }

  /** Frames that were read together with the last one still arrive while paused: at most one chunk of the socket. */
  add(data: Buffer, isBinary: boolean): void {
    this.#messages.push({ data, isBinary })
    this.#bytes += data.length
    if (this.#messages.length - this.#first > MAX_WAITING || this.#bytes > MAX_WAITING_BYTES) this.#socket.pause()
  }

  take(): WaitingMessage | undefined {
    const message = this.#messages[this.#first]
    if (message === undefined) return undefined
    this.#first += 1
    this.#bytes -= message.data.length
    if (this.#first === this.#messages.length) this.clear()
    return message
  }

  clear(): void {
    this.#messages = []
    this.#first = 0
    this.#bytes = 0
    if (this.#socket.isPaused) this.#socket.resume()
  }
}
