/** How many frames a socket may send: a bucket of tokens that refills with time. Pure: the time is passed in. */

export type FrameVerdict =
  | 'pass'
  /** Answered with a refusal, and not served. */
  | 'excess'
  /** A caller that goes on regardless is cut off. */
  | 'flood'

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
