/** Reads the documents that a filter matches, in the order of the sort, through the index that fits, up to the limit. */
import { CommandError } from '../failure/command-error.ts'
import type { CollectionIndex } from '../indexes/collection-index.ts'
import { type IndexPlan, planIndex } from '../indexes/index-plan.ts'
import type { Condition } from '../query/filter.ts'
import { type SortField, sortDocuments } from '../query/sort.ts'
import type { Transaction } from '../transactions/transactions.ts'
import { sameDocument } from '../values/encode.ts'
import { type Document, isDocument, type Value } from '../values/value.ts'
import type { Collection } from './collection.ts'
import type { StoredRecord } from './stored-record.ts'

export interface Reading {
  readonly filter: Condition
  readonly sort?: readonly SortField[]
  readonly skip?: number
  /** 0 is no limit. */
  readonly limit?: number
  /** Name or key of an index. */
  readonly hint?: Value | undefined
  readonly reader: Transaction | null
}

export interface Match {
  readonly record: StoredRecord
  readonly document: Document
}

export function readCollection(collection: Collection, reading: Reading): Match[] {
  const { sort = [], skip = 0, limit = 0 } = reading
  const natural = sort[0]?.path === '$natural'
  const plan = natural ? null : planReading(collection, reading)
  const matches = matching(collection, plan, reading)
  const end = limit === 0 ? Number.POSITIVE_INFINITY : skip + limit
  if (sort.length === 0 || plan?.sorted === true || (natural && sort[0]?.direction === 1)) {
    return takeUpTo(matches, end).slice(skip)
  }
  const all = [...matches]
  const ordered = natural ? all.reverse() : sortDocuments(all, sort, ({ document }) => document)
  return ordered.slice(skip, end)
}

/** @throws CommandError 2 when the hint names no index */
export function planReading(collection: Collection, { filter, sort = [], hint }: Reading): IndexPlan | null {
  const indexes = hint === undefined ? collection.indexes : hinted(collection.indexes, hint)
  return planIndex(indexes, filter.comparisons, sort)
}

function* matching(collection: Collection, plan: IndexPlan | null, { filter, reader }: Reading): Generator<Match> {
  for (const record of plan === null ? collection.records.values() : planned(collection, plan, reader)) {
    const document = record.visible(reader)
    if (document !== null && filter.matches(document)) yield { record, document }
  }
}

/**
 * Records of the index: one with several keys comes once, and one whose versions have different keys comes at the key
 * of the version that the reader sees.
 */
function* planned(collection: Collection, plan: IndexPlan, reader: Transaction | null): Generator<StoredRecord> {
  const { index, ranges, direction } = plan
  const seen = new Set<number>()
  for (const range of ranges) {
    for (const { key, record: number } of index.entries(range, direction)) {
      const record = collection.records.get(number)
      if (record === undefined || seen.has(number)) continue
      if (record.isLayered && !index.holds(record.visible(reader), key)) continue
      seen.add(number)
      yield record
    }
  }
}

function takeUpTo<Item>(items: Iterable<Item>, end: number): Item[] {
  const taken: Item[] = []
  for (const item of items) {
    taken.push(item)
    if (taken.length >= end) break
  }
  return taken
}

function hinted(indexes: readonly CollectionIndex[], hint: Value): readonly CollectionIndex[] {
  if (isDocument(hint) && hint.has('$natural')) return []
  const found = indexes.filter(({ definition }) =>
    isDocument(hint) ? sameDocument(definition.key, hint) : definition.name === hint
  )
  if (found.length === 0) throw new CommandError(2, 'hint provided does not correspond to an existing index')
  return found
}
