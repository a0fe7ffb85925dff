/** Changes, puts and insertions as the server's own updates, which it decides on the document that stands. Pure. */
import type { Document, UpdateFilter } from 'mongodb'
import { type Change, keyOf, type PutOptions } from 'svc-stores/table'
import type { DocumentColumns } from './document-columns.ts'
import { pipelineUpdate } from './pipeline-update.ts'

/** Operators, or a pipeline. */
export type DocumentUpdate = UpdateFilter<Document> | Document[]

type Operator = '$set' | '$unset' | '$setOnInsert' | '$max' | '$min' | '$inc' | '$push' | '$pull'

type Operators = { [Name in Operator]?: Record<string, unknown> }

type Values = Readonly<Record<string, unknown>>

/** @returns an empty object where nothing changes, which no server takes */
export function changeUpdate<Row>(columns: DocumentColumns, change: Change<Row>): DocumentUpdate {
  if (change.mul !== undefined) return pipelineUpdate(columns, change)
  const { set, add, max, min, push, pull } = change as { readonly [Part in keyof Change<Row>]?: Values }
  const update: Operators = {}
  for (const [name, value] of entries(set)) assign(columns, update, name, value)
  for (const [name, value] of entries(max)) put(update, '$max', columns.field(name), columns.operand(name, value))
  for (const [name, value] of entries(min)) put(update, '$min', columns.field(name), columns.operand(name, value))
  for (const [name, value] of entries(add)) put(update, '$inc', columns.field(name), columns.operand(name, value))
  for (const [name, item] of entries(push)) put(update, '$push', columns.field(name), columns.operand(name, item))
  for (const [name, item] of entries(pull)) put(update, '$pull', columns.field(name), columns.operand(name, item))
  return update as UpdateFilter<Document>
}

export function isEmpty(update: object): boolean {
  return Object.keys(update).length === 0
}

/** A whole row over the one with its key, which the filter names. */
export function putUpdate<Row>(
  columns: DocumentColumns,
  row: Row,
  { keep = [], max = [] }: PutOptions<Row>
): UpdateFilter<Document> {
  const [kept, greater] = [new Set<string>(keep), new Set<string>(max)]
  const key = keyOf(columns.plan)
  const update: Operators = {}
  for (const { name } of columns.plan.columns) {
    if (key.includes(name)) continue
    const value = (row as Values)[name] ?? null
    if (!kept.has(name) && !greater.has(name)) assign(columns, update, name, value)
    else if (value !== null) {
      put(update, kept.has(name) ? '$setOnInsert' : '$max', columns.field(name), columns.write(name, value))
    }
  }
  return update as UpdateFilter<Document>
}

/** What an upsert writes besides the columns that its filter names. */
export function insertionUpdate(
  columns: DocumentColumns,
  row: object,
  named: readonly string[]
): UpdateFilter<Document> {
  const document = columns.toDocument(row)
  for (const name of named) delete document[columns.field(name)]
  return { $setOnInsert: document }
}

function assign(columns: DocumentColumns, update: Operators, name: string, value: unknown): void {
  if (value === null || value === undefined) put(update, '$unset', columns.field(name), '')
  else put(update, '$set', columns.field(name), columns.write(name, value))
}

function put(update: Operators, operator: Operator, field: string, value: unknown): void {
  update[operator] ??= {}
  update[operator][field] = value
}

function entries(part: Values | undefined): [string, unknown][] {
  return part === undefined ? [] : Object.entries(part)
}
