/** Writes documents as BSON, and says how large and how deep they are; both are bounded as MongoDB bounds them. */
import { serialize } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import { MAX_DEPTH } from './decode.ts'
import { type Document, isDocument, type Value } from './value.ts'

/** Bytes of one document. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024

const sizes = new WeakMap<Document, number>()

export function encodeDocument(document: Document): Uint8Array {
  const bytes = serialize(document)
  sizes.set(document, bytes.length)
  return bytes
}

/** Bytes of the document; documents are never changed once made, so the size is worked out once. */
export function documentSize(document: Document): number {
  return sizes.get(document) ?? encodeDocument(document).length
}

/** @throws CommandError 15 when nested too deeply, `tooLarge` when over 16 MiB */
export function checkDocument(document: Document, tooLarge: 10334 | 17419): void {
  if (depthOf(document) > MAX_DEPTH) {
    throw new CommandError(15, `Document exceeds maximum nested object depth: ${MAX_DEPTH}`)
  }
  const size = documentSize(document)
  if (size <= MAX_DOCUMENT_BYTES) return
  const text =
    tooLarge === 10334
      ? `BSONObj size: ${size} is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}`
      : `Resulting document after update is larger than ${MAX_DOCUMENT_BYTES}`
  throw new CommandError(tooLarge, text)
}

/** Same bytes: same fields in the same order with the same types. */
export function sameDocument(a: Document, b: Document): boolean {
  return a === b || Buffer.compare(serialize(a), serialize(b)) === 0
}

function depthOf(value: Value): number {
  if (isDocument(value)) return 1 + deepest([...value.values()])
  return Array.isArray(value) ? 1 + deepest(value) : 0
}

function deepest(values: readonly Value[]): number {
  return values.reduce<number>((depth, value) => Math.max(depth, depthOf(value)), 0)
}
