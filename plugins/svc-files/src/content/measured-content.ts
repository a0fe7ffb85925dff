/**
 * Content on its way to a driver: its first bytes are looked at before anything is written, and it is counted, bounded and
 * hashed as it goes. What went wrong here is told from what the driver failed at.
 */
import { createHash } from 'node:crypto'
import type { WrittenContent } from '../records/file-record.ts'

/** Bytes that come in pieces: a stream, a file of a form, a generator. */
export type ContentSource = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>

type Pieces = AsyncIterator<Uint8Array | string> | Iterator<Uint8Array>

export class MeasuredContent implements AsyncIterable<Uint8Array> {
  readonly #source: Pieces
  readonly #head: Uint8Array
  readonly #hash = createHash('sha256')
  #bytes = 0
  #fault: { readonly error: unknown } | null = null
  /** @returns `null` while the content may have so many bytes, else the error */
  #refusal: (bytes: number) => Error | null = () => null

  private constructor(source: Pieces, head: Uint8Array) {
    this.#source = source
    this.#head = head
  }

  /** Reads the first bytes. @param count at least so many, unless the content ends @throws what the source throws */
  static async begin(source: ContentSource, count: number): Promise<MeasuredContent> {
    const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
    const chunks: Uint8Array[] = []
    for (let bytes = 0; bytes < count; ) {
      const { done, value } = await iterator.next()
      if (done === true) break
      const chunk = bytesOf(value)
      chunks.push(chunk)
      bytes += chunk.length
    }
    return new MeasuredContent(iterator, Buffer.concat(chunks))
  }

  get head(): Uint8Array {
    return this.#head
  }

  /** What the source or the bound threw; `null` where neither did. */
  get fault(): { readonly error: unknown } | null {
    return this.#fault
  }

  get written(): WrittenContent {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') }
  }

  bound(refusal: (bytes: number) => Error | null): this {
    this.#refusal = refusal
    return this
  }

  /** Nobody reads on: the source is closed. */
  async end(): Promise<void> {
    await Promise.resolve(this.#source.return?.()).catch(() => undefined)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      if (this.#head.length > 0) yield this.#counted(this.#head)
      for (;;) {
        const { done, value } = await this.#source.next()
        if (done === true) return
        const chunk = bytesOf(value)
        if (chunk.length > 0) yield this.#counted(chunk)
      }
    } catch (error) {
      this.#fault ??= { error }
      throw error
    } finally {
      await this.end()
    }
  }

  #counted(chunk: Uint8Array): Uint8Array {
    this.#bytes += chunk.length
    const refused = this.#refusal(this.#bytes)
    if (refused !== null) throw refused
    this.#hash.update(chunk)
    return chunk
  }
}

function bytesOf(chunk: Uint8Array | string): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}
