/**
 * Reads BSON into Maps and unpromoted values. The bson package reads into plain objects, which move number-like
 * names to the front and lose the order of fields; its classes and its writer are used as they are.
 */
import * as bson from 'bson'
import { CommandError } from '../failure/command-error.ts'
import type { Document, Value } from './value.ts'

/** Levels of documents and arrays, as MongoDB bounds them. */
export const MAX_DEPTH = 200

/** @throws CommandError 22 on bytes that are no BSON, 15 when nested too deeply */
export function decodeDocument(bytes: Buffer, offset = 0): Document {
  return new Reader(bytes, offset).document(1)
}

const READERS: Readonly<Record<number, (reader: Reader, depth: number) => Value>> = {
  1: (reader) => new bson.Double(reader.double()),
  2: (reader) => reader.string(),
  3: (reader, depth) => reader.document(depth + 1),
  4: (reader, depth) => reader.array(depth + 1),
  5: (reader) => reader.binary(),
  7: (reader) => new bson.ObjectId(reader.copy(12)),
  8: (reader) => reader.byte() === 1,
  9: (reader) => reader.date(),
  10: () => null,
  11: (reader) => new bson.BSONRegExp(reader.cstring(), reader.cstring()),
  13: (reader) => new bson.Code(reader.string()),
  14: (reader) => new bson.BSONSymbol(reader.string()),
  16: (reader) => new bson.Int32(reader.int32()),
  17: (reader) => reader.timestamp(),
  18: (reader) => reader.long(),
  19: (reader) => new bson.Decimal128(reader.copy(16)),
  127: () => new bson.MaxKey(),
  255: () => new bson.MinKey()
}

class Reader {
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
    if (depth > MAX_DEPTH) throw new CommandError(15, `Document exceeds maximum nested object depth: ${MAX_DEPTH}`)
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
    return this.#bytes.readUInt8(this.#advance(1))
  }

  int32(): number {
    return this.#bytes.readInt32LE(this.#advance(4))
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#advance(8))
  }

  long(): bson.Long {
    return bson.Long.fromBits(this.int32(), this.int32())
  }

  date(): Date {
    const date = new Date(this.long().toNumber())
    if (Number.isNaN(date.getTime())) throw invalid('a date is out of the range that JavaScript holds')
    return date
  }

  timestamp(): bson.Timestamp {
    const { low, high } = this.long()
    return new bson.Timestamp({ t: high >>> 0, i: low >>> 0 })
  }

  binary(): bson.Binary {
    const length = this.int32()
    const subtype = this.byte()
    const inner = subtype === bson.Binary.SUBTYPE_BYTE_ARRAY ? this.int32() : length
    return new bson.Binary(this.copy(inner), subtype)
  }

  string(): string {
    const length = this.int32()
    if (length < 1) throw invalid('a string has no length')
    const start = this.#advance(length)
    return this.#bytes.toString('utf8', start, start + length - 1)
  }

  cstring(): string {
    const end = this.#bytes.indexOf(0, this.#at)
    if (end < 0) throw invalid('a name has no end')
    const text = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end + 1
    return text
  }

  /** A copy of the next bytes: a view would keep the whole message in memory. */
  copy(length: number): Buffer {
    const start = this.#advance(length)
    return Buffer.from(this.#bytes.subarray(start, start + length))
  }

  /** Moves past the next bytes, and returns where they begin. */
  #advance(length: number): number {
    const start = this.#at
    if (length < 0 || start + length > this.#bytes.length) throw invalid('a value ends outside its document')
    this.#at = start + length
    return start
  }
}

function invalid(why: string): CommandError {
  return new CommandError(22, `invalid BSON: ${why}`)
}
