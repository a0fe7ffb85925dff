/** Paths into JSON as servers write them. Pure. */
import type { Document, Filter } from 'mongodb'
import { InvalidCriteria } from 'svc-orm/errors'
import type { PathCondition } from 'svc-stores/table'

const OPERATORS = { eq: '$eq', gt: '$gt', gte: '$gte', lt: '$lt', lte: '$lte' } as const
const POSITION = /^(?:0|[1-9]\d*)$/
const NO_LIST = { $not: { $type: 'array' } }

/** A server goes through each item of a list by itself: where a key follows, or a value, there must be no list. */
export function pathFilter(field: string, condition: PathCondition): Filter<Document> {
  const { path } = condition
  const place = documentPath(field, path)
  const entered = path.flatMap((part, depth) => {
    return POSITION.test(part) ? [] : [{ [[field, ...path.slice(0, depth)].join('.')]: NO_LIST }]
  })
  return { $and: [...entered, valueFilter(place, condition)] }
}

function valueFilter(place: string, condition: PathCondition): Filter<Document> {
  switch (condition.comparison) {
    case 'present':
      return { [place]: { $exists: true } }
    case 'held':
      // A list may hold null, and is none; a place behind the end of a list differs from everything.
      return { $or: [{ [place]: { $exists: true, $ne: null } }, { [place]: { $type: 'array' } }] }
    default:
      return { [place]: { [OPERATORS[condition.comparison]]: condition.value, ...NO_LIST } }
  }
}

/** @throws InvalidCriteria for a key that no path of a server can name */
export function documentPath(field: string, path: readonly string[]): string {
  const unnamed = path.find((part) => part.includes('.') || part.startsWith('$'))
  if (unnamed === undefined) return [field, ...path].join('.')
  throw new InvalidCriteria(
    `${field} ${JSON.stringify(unnamed)}`,
    'keys without . and without $ before them, on documents'
  )
}
