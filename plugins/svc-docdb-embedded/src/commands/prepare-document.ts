/** A document on its way into a collection: `_id` first, of a type that can be one, and within the bounds. */
import { ObjectId } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import { checkDocument } from '../values/encode.ts'
import { type Document, isDocument, isRegex } from '../values/value.ts'

/** @throws CommandError 2 for an `_id` that cannot be one, 52 for names in it, 10334 and 15 for size and depth */
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
