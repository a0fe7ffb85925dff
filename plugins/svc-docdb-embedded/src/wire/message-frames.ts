/** Cuts a stream of bytes into messages, each announced by its length, and refuses lengths no message has. */
import { HEADER_BYTES } from './message.ts'

export class MessageFrames {
  readonly #maximum: number
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(maximum: number) {
    this.#maximum = maximum
  }

  /** The messages that are whole now. @throws RangeError for a length below the header or above the maximum */
  add(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    const messages: Buffer[] = []
    for (let size = this.#nextSize(); size !== null && size <= this.#bytes; size = this.#nextSize()) {
      const joined = this.#join()
      messages.push(joined.subarray(0, size))
      this.#chunks = [joined.subarray(size)]
      this.#bytes = joined.length - size
    }
    return messages
  }

  #nextSize(): number | null {
    if (this.#bytes < 4) return null
    const first = this.#chunks[0]
    const size = (first !== undefined && first.length >= 4 ? first : this.#join()).readInt32LE()
    if (size >= HEADER_BYTES && size <= this.#maximum) return size
    throw new RangeError(`a message of ${size} bytes`)
  }

  #join(): Buffer {
    const [only] = this.#chunks
    const joined = only !== undefined && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }
}
