/** What comes in from one socket: how many frames it may send, and those that wait for the one being served. */
import type { WebSocket } from 'ws'

export type FrameVerdict =
  | 'pass'
  /** Answered with a refusal, and not served. */
  | 'excess'
  /** A caller that goes on regardless is cut off. */
  | 'flood'

/** A token bucket that refills with time. Pure: the time is passed in. */
export class FrameRate {
  readonly #perMs: number
  readonly #burst: number
  #tokens: number
  #at: number
  #excess = 0

  /** @param burst frames that may come at once; as many more are refused before the socket is a flood */
  constructor(framesPerSecond: number, burst: number, now: number) {
    this.#perMs = framesPerSecond / 1000
    this.#burst = burst
    this.#tokens = burst
    this.#at = now
  }

  /** @param now epoch ms; a clock that goes back refills nothing */
  take(now: number): FrameVerdict {
    this.#tokens = Math.min(this.#burst, this.#tokens + Math.max(0, now - this.#at) * this.#perMs)
    this.#at = now
    if (this.#tokens >= 1) {
      this.#tokens -= 1
      this.#excess = 0
      return 'pass'
    }
    this.#excess += 1
    return this.#excess > this.#burst ? 'flood' : 'excess'
  }
}

const MAX_WAITING = 32

/** The socket is paused while too many frames wait. */
export class FrameQueue {
  readonly #socket: WebSocket
  readonly #frames: Buffer[] = []

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  get isEmpty(): boolean {
    return this.#frames.length === 0
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
