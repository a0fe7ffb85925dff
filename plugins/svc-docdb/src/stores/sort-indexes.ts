/**
 * Indexes for the orders of a listing. A server reads an index both ways, but ties
 * ascend by the key in either direction: so there are two for each field. Pure.
 */
import type { IndexDescription } from 'mongodb'

export function sortIndexes(fields: readonly string[], key = '_id'): IndexDescription[] {
  return fields.flatMap((field) => [
    { key: { [field]: 1, [key]: 1 }, name: `ascending_${field}` },
    { key: { [field]: -1, [key]: 1 }, name: `descending_${field}` }
  ])
}
