/** Results that are fetched in batches. A cursor holds what matched when it was opened, until it is read to its end, killed or idle. */
import { randomInt } from 'node:crypto'
import { Long } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import { documentSize } from '../values/encode.ts'
import type { Document } from '../values/value.ts'

/** Documents of a first batch whose size is not given. */
const FIRST_BATCH = 101
/** Bytes of one batch. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024
/** Milliseconds after which an idle cursor is closed. */
const IDLE_MS = 10 * 60 * 1000

interface OpenCursor {
  readonly namespace: string
  readonly documents: readonly Document[]
  readonly immortal: boolean
  position: number
  usedAt: number
}

export interface CursorOptions {
  readonly batchSize?: number | null
  readonly singleBatch?: boolean
  readonly noTimeout?: boolean
}

export class CursorRegistry {
  readonly #open = new Map<bigint, OpenCursor>()
  readonly #now: () => Date
  #lastId = BigInt(randomInt(1, 2 ** 31)) << 16n

  constructor(now: () => Date) {
    this.#now = now
  }

  get count(): number {
    return this.#open.size
  }

  /** The `cursor` field of an answer, with the first batch. */
  open(
    namespace: string,
    documents: readonly Document[],
    { batchSize = null, singleBatch = false, noTimeout = false }: CursorOptions
  ): object {
    this.#purge()
    const end = batchEnd(documents, 0, batchSize ?? FIRST_BATCH)
    const firstBatch = documents.slice(0, end)
    if (singleBatch || end === documents.length) return { firstBatch, id: Long.ZERO, ns: namespace }
    this.#lastId += 1n
    this.#open.set(this.#lastId, {
      namespace,
      documents,
      immortal: noTimeout,
      position: end,
      usedAt: this.#now().getTime()
    })
    return { firstBatch, id: Long.fromBigInt(this.#lastId), ns: namespace }
  }

  /** @throws CommandError 43 when there is no such cursor */
  next(id: bigint, namespace: string, batchSize: number | null): object {
    const cursor = this.#open.get(id)
    if (cursor === undefined) throw new CommandError(43, `cursor id ${id} not found`)
    if (cursor.namespace !== namespace) {
      throw new CommandError(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`
      )
    }
    const { position, documents } = cursor
    const end = batchEnd(documents, position, batchSize === null || batchSize === 0 ? documents.length : batchSize)
    cursor.position = end
    cursor.usedAt = this.#now().getTime()
    const finished = end === documents.length
    if (finished) this.#open.delete(id)
    return { nextBatch: documents.slice(position, end), id: finished ? Long.ZERO : Long.fromBigInt(id), ns: namespace }
  }

  /** Whether there was such a cursor. */
  kill(id: bigint): boolean {
    return this.#open.delete(id)
  }

  #purge(): void {
    const idle = this.#now().getTime() - IDLE_MS
    for (const [id, { immortal, usedAt }] of this.#open) {
      if (!immortal && usedAt < idle) this.#open.delete(id)
    }
  }
}

/** The end of a batch: by number and by bytes, at least one document where `size` is not 0. */
function batchEnd(documents: readonly Document[], from: number, size: number): number {
  const end = Math.min(documents.length, from + size)
  let bytes = 0
  for (let index = from; index < end; index++) {
    const document = documents[index]
    bytes += document === undefined ? 0 : documentSize(document)
    if (bytes > MAX_BATCH_BYTES && index > from) return index
  }
  return end
}
