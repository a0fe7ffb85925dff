/** Documents of the engine from plain ones, and back, for tables that are easy to read. */
import { deserialize, serialize } from 'bson'
import { decodeDocument } from '../../src/values/decode.ts'
import { encodeDocument } from '../../src/values/encode.ts'
import type { Document } from '../../src/values/value.ts'

export function documentOf(plain: object): Document {
  return decodeDocument(Buffer.from(serialize(plain)))
}

export function plainOf(document: Document): Record<string, unknown> {
  return deserialize(encodeDocument(document))
}
