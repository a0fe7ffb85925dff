/** `bytes`: binary data, which rows have as a `Uint8Array`, and JSON as base64 (RFC 4648, section 4). */
import { same } from './conversions.ts'
import type { FieldTypeDefinition } from './field-type.ts'

export const bytesType: FieldTypeDefinition = {
  name: 'bytes',
  storage: 'bytes',
  takes: ['maxLength'],
  can: { compare: false, order: false, add: false, search: false, default: false },
  noList: 'a list cannot hold bytes',
  format: { name: 'byte', expected: 'base64' },
  from: { bytes: same },
  read: (given) => readBytes(given),
  fromStored: (bytes) => shownBytes(bytes as Uint8Array),
  toStored: (bytes) => bytes,
  expected: () => 'bytes: a Uint8Array, or base64',
  schema: ({ maxLength }) => ({
    type: 'string',
    format: 'byte',
    contentEncoding: 'base64',
    ...(maxLength && { maxLength: Math.ceil(maxLength / 3) * 4 })
  }),
  dbml: () => 'bytea'
}

/** Bytes as rows carry them: a `Uint8Array` that JSON, and text, shows as base64 (RFC 4648, section 4). */
export class Bytes extends Uint8Array {
  toJSON(): string {
    return base64(this)
  }

  /** Serialisers by schema ask for it. */
  override toString(): string {
    return base64(this)
  }
}

/** The same memory. */
export function shownBytes({ buffer, byteOffset, byteLength }: Uint8Array): Bytes {
  return new Bytes(buffer as ArrayBuffer, byteOffset, byteLength)
}

/** @param given bytes, or base64 with its padding @returns a copy, `undefined` when it is neither */
export function readBytes(given: unknown): Bytes | undefined {
  if (given instanceof Uint8Array) return new Bytes(given)
  if (typeof given !== 'string') return undefined
  const bytes = Buffer.from(given, 'base64')
  // What is not of the alphabet is passed over.
  return bytes.toString('base64') === given ? new Bytes(bytes) : undefined
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
