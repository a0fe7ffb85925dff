/** The `$group` that only counts, which drivers send for `countDocuments`: it needs no values, so any value passes. */
import { Int32 } from 'bson'
import { approximate } from '../values/exact-number.ts'
import { type Document, isDocument, isNumber, type Value } from '../values/value.ts'

/** Null for a group that does more than `{ _id: <constant>, n: { $sum: 1 } }`. */
export function countingGroup(operand: Value): ((documents: readonly Document[]) => Document[]) | null {
  if (!isDocument(operand)) return null
  const id = operand.get('_id')
  if (id !== null && !isNumber(id)) return null
  const counts = [...operand].filter(([name]) => name !== '_id')
  if (!counts.every(([, value]) => isCount(value))) return null
  return (documents) => {
    if (documents.length === 0) return []
    return [
      new Map<string, Value>([
        ['_id', id],
        ...counts.map(([name]): [string, Value] => [name, new Int32(documents.length)])
      ])
    ]
  }
}

function isCount(value: Value): boolean {
  if (!isDocument(value) || value.size !== 1) return false
  const step = value.get('$sum')
  return isNumber(step) && approximate(step) === 1
}
