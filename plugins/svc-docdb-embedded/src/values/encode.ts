/** Writes documents as BSON, and checks what is to be stored: `_id`, size and depth, bounded as MongoDB bounds them. */
import { ObjectId, serialize } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import { MAX_DEPTH } from './decode.ts'
import { type Document, isDocument, isRegex, type Value } from './value.ts'

/** Bytes of one document. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024

const sizes = new WeakMap<Document, number>()

export function encodeDocument(document: Document): Uint8Array {
  const bytes = serialize(document)
  sizes.set(document, bytes.length)
  return bytes
}

/** Bytes of the document; documents are never changed once made, so the size is computed once. */
export function documentSize(document: Document): number {
  return sizes.get(document) ?? encodeDocument(document).length
}

/** Same bytes: same fields in the same order with the same types. */
export function sameDocument(a: Document, b: Document): boolean {
  return a === b || Buffer.compare(serialize(a), serialize(b)) === 0
}

/**
 * A document to insert: `_id` first, made where there is none.
 *
 * @throws CommandError 2 for an `_id` that cannot be one, 52 for names in it, 10334 and 15 for size and depth
 */
export function prepareDocument(document: Document): Document {
  const id = document.get('_id') ?? (document.has('_id') ? null : new ObjectId())
  if (Array.isArray(id)) throw new CommandError(2, "can't use an array for _id")
  if (isRegex(id)) throw new CommandError(2, "can't use a regex for _id")
  const name = isDocument(id) ? [...id.keys()].find((key) => key.startsWith('$')) : undefined
  if (name !== undefined) {
    throw new CommandError(52, `_id fields may not contain '$'-prefixed fields: ${name} is not valid for storage.`)
  }
  const prepared: Document = new Map([['_id', id], ...[...document].filter(([field]) => field !== '_id')])
  checkDocument(prepared, 10334)
  return prepared
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

function depthOf(value: Value): number {
  if (!isDocument(value) && !Array.isArray(value)) return 0
  let deepest = 0
  for (const inner of value.values()) deepest = Math.max(deepest, depthOf(inner))
  return deepest + 1
}
