/** TTL indexes: removes documents whose date is older than the index allows. */
import { rankOf } from '../values/compare-values.ts'
import type { Value } from '../values/value.ts'
import type { Catalog } from './catalog.ts'
import type { Collection } from './collection.ts'

const DATES = rankOf(new Date(0))

/** Removes expired documents, and returns how many; one that a transaction is changing is left for the next time. */
export function expireDocuments(catalog: Catalog, now: Date): number {
  let removed = 0
  for (const database of catalog.databases) {
    for (const collection of catalog.collections(database)) removed += expireIn(collection, now)
  }
  catalog.flush(catalog.failures)
  return removed
}

function expireIn(collection: Collection, now: Date): number {
  let removed = 0
  for (const index of collection.indexes) {
    const { expireAfterSeconds, fields } = index.definition
    if (expireAfterSeconds === null) continue
    const deadline = now.getTime() - expireAfterSeconds * 1000
    const expired = (value: Value | undefined) => value instanceof Date && value.getTime() <= deadline
    const forward = fields[0]?.direction === 1
    const begins = ([value]: readonly (Value | undefined)[]) =>
      forward ? rankOf(value) >= DATES : expired(value) || rankOf(value) < DATES
    const ends = ([value]: readonly (Value | undefined)[]) =>
      forward ? rankOf(value) > DATES || (rankOf(value) === DATES && !expired(value)) : rankOf(value) < DATES
    for (const { record: number } of [...index.entries({ begins, ends }, 1)]) {
      const record = collection.records.get(number)
      if (record === undefined || record.pending !== null || record.latest === null) continue
      collection.remove(record, null)
      removed += 1
    }
  }
  return removed
}
