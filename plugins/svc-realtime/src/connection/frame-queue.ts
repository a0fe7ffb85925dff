/** Frames that wait for the one being served. The socket is paused while there are too many of them. */
import type { WebSocket } from 'ws'

const MAX_WAITING = 32

export class FrameQueue {
  readonly #socket: WebSocket
  readonly #frames: Buffer[] = []

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  /** Frames that were read together with the last one still arrive while paused: at most one chunk of the socket. */
  add(frame: Buffer): void {
    this.#frames.push(frame)
    if (this.#frames.length > MAX_WAITING) this.#socket.pause()
  }

  take(): Buffer | undefined {
    const frame = this.#frames.shift()
    if (this.#frames.length === 0 && this.#socket.isPaused) this.#socket.resume()
    return frame
  }

  clear(): void {
    this.#frames.length = 0
    if (this.#socket.isPaused) this.#socket.resume()
  }
}
