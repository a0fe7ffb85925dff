/**
 * Unique keys under concurrent transactions. A key that is pending in another transaction is undecided: a write
 * outside a transaction waits for it, one inside conflicts. A key committed after a transaction began conflicts as well, so that
 * concurrent upserts are tried again instead of failing as duplicates.
 */
import { CommandError } from '../failure/command-error.ts'
import type { CollectionIndex, IndexKey } from '../indexes/collection-index.ts'
import { Blocked, type Transaction, writeConflict } from '../transactions/transactions.ts'
import type { Document, Value } from '../values/value.ts'
import type { StoredRecord } from './stored-record.ts'

export interface UniqueCheck {
  readonly index: CollectionIndex
  readonly collection: { readonly namespace: string; readonly records: ReadonlyMap<number, StoredRecord> }
  /** The document to store. */
  readonly document: Document
  /** The record it replaces, which does not count against it. */
  readonly own: StoredRecord | null
  readonly writer: Transaction | null
}

/** @throws CommandError 11000 for a duplicate, 112 for a conflict; Blocked when the answer depends on a transaction */
export function checkUnique({ index, collection, document, own, writer }: UniqueCheck): void {
  if (!index.definition.unique) {
    index.keysOf(document)
    return
  }
  for (const key of index.keysOf(document)) {
    for (const number of index.recordsAt(key)) {
      const record = collection.records.get(number)
      if (record !== undefined && record !== own) checkAgainst(record, key, { index, collection, writer })
    }
  }
}

function checkAgainst(
  record: StoredRecord,
  key: IndexKey,
  { index, collection, writer }: Pick<UniqueCheck, 'index' | 'collection' | 'writer'>
): void {
  const has = (document: Document | null) => index.holds(document, key)
  const { pending, latest, versions } = record
  if (pending !== null && pending.owner !== writer && (has(pending.document) || has(latest))) {
    if (writer === null) throw new Blocked(pending.owner)
    throw writeConflict()
  }
  const seen = pending !== null && pending.owner === writer ? pending.document : latest
  if (!has(seen)) return
  if (writer !== null && pending?.owner !== writer && (versions.at(-1)?.timestamp ?? 0) > writer.snapshot)
    throw writeConflict()
  throw duplicateKey(index, collection.namespace, key)
}

function duplicateKey({ definition }: CollectionIndex, namespace: string, key: IndexKey): CommandError {
  const keyValue: Document = new Map(
    definition.fields.map(({ path }, index): [string, Value] => [path, key[index] ?? null])
  )
  const shown = definition.fields.map(({ path }, index) => `${path}: ${show(key[index])}`).join(', ')
  return new CommandError(
    11000,
    `E11000 duplicate key error collection: ${namespace} index: ${definition.name} dup key: { ${shown} }`,
    {
      fields: { keyPattern: definition.key, keyValue }
    }
  )
}

function show(value: Value | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return value instanceof Map || Array.isArray(value) ? '{ ... }' : String(value)
}
