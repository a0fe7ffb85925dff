/**
 * Reads BSON into Maps and unpromoted values. The bson package reads into plain objects, which move number-like
 * names to the front and lose the order of fields; its classes and its writer are used as they are.
 */
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp
} from 'bson'
import { CommandError } from '../failure/command-error.ts'
import type { Document, Value } from './value.ts'

/** Levels of documents and arrays, as MongoDB bounds them. */
export const MAX_DEPTH = 200

type Reader = (cursor: Cursor, depth: number) => Value

/** @throws CommandError 22 on bytes that are no BSON, 15 when nested too deeply */
export function decodeDocument(bytes: Buffer, offset = 0): Document {
  return new Cursor(bytes, offset).document(1)
}

class Cursor {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, offset: number) {
    this.#bytes = bytes
    this.#at = offset
  }

  document(depth: number): Document {
    const fields: Document = new Map()
    this.#elements(depth, (name, value) => fields.set(name, value))
    return fields
  }

  array(depth: number): Value[] {
    const items: Value[] = []
    this.#elements(depth, (_name, value) => items.push(value))
    return items
  }

  #elements(depth: number, add: (name: string, value: Value) => void): void {
    if (depth > MAX_DEPTH) {
      throw new CommandError(15, `Document exceeds maximum nested object depth: ${MAX_DEPTH}`)
    }
    const end = this.#at + this.int32() - 1
    if (end >= this.#bytes.length || this.#bytes[end] !== 0) throw invalid('a document ends outside its bytes')
    while (this.#at < end) {
      const type = this.byte()
      const name = this.cstring()
      const read = READERS[type]
      if (read === undefined) throw invalid(`the field '${name}' has the unknown or withdrawn type ${type}`)
      add(name, read(this, depth))
    }
    if (this.#at !== end) throw invalid('a document is longer than it says')
    this.#at = end + 1
  }

  byte(): number {
    return this.take(1)[0] ?? 0
  }

  int32(): number {
    return this.take(4).readInt32LE()
  }

  double(): number {
    return this.take(8).readDoubleLE()
  }

  long(): Long {
    const bytes = this.take(8)
    return Long.fromBits(bytes.readInt32LE(0), bytes.readInt32LE(4))
  }

  string(): string {
    const length = this.int32()
    if (length < 1) throw invalid('a string has no length')
    return this.take(length).toString('utf8', 0, length - 1)
  }

  cstring(): string {
    const end = this.#bytes.indexOf(0, this.#at)
    if (end < 0) throw invalid('a name has no end')
    const text = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end + 1
    return text
  }

  /** A view of the next bytes; what is kept must copy it. */
  take(length: number): Buffer {
    const end = this.#at + length
    if (length < 0 || end > this.#bytes.length) throw invalid('a value ends outside its document')
    const bytes = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return bytes
  }
}

const READERS: Readonly<Record<number, Reader>> = {
  1: (cursor) => new Double(cursor.double()),
  2: (cursor) => cursor.string(),
  3: (cursor, depth) => cursor.document(depth + 1),
  4: (cursor, depth) => cursor.array(depth + 1),
  5: readBinary,
  7: (cursor) => new ObjectId(Buffer.from(cursor.take(12))),
  8: (cursor) => cursor.byte() === 1,
  9: readDate,
  10: () => null,
  11: (cursor) => new BSONRegExp(cursor.cstring(), cursor.cstring()),
  13: (cursor) => new Code(cursor.string()),
  14: (cursor) => new BSONSymbol(cursor.string()),
  16: (cursor) => new Int32(cursor.int32()),
  17: readTimestamp,
  18: (cursor) => cursor.long(),
  19: (cursor) => new Decimal128(Buffer.from(cursor.take(16))),
  127: () => new MaxKey(),
  255: () => new MinKey()
}

function readBinary(cursor: Cursor): Binary {
  const length = cursor.int32()
  const subtype = cursor.byte()
  const inner = subtype === Binary.SUBTYPE_BYTE_ARRAY ? cursor.int32() : length
  return new Binary(Buffer.from(cursor.take(inner)), subtype)
}

function readDate(cursor: Cursor): Date {
  const date = new Date(cursor.long().toNumber())
  if (Number.isNaN(date.getTime())) throw invalid('a date is out of the range that JavaScript holds')
  return date
}

function readTimestamp(cursor: Cursor): Timestamp {
  const { low, high } = cursor.long()
  return new Timestamp({ t: high >>> 0, i: low >>> 0 })
}

function invalid(why: string): CommandError {
  return new CommandError(22, `invalid BSON: ${why}`)
}
