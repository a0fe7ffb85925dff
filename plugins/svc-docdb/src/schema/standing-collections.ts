/**
 * The collections of a database in the words of the plans that are laid over them, for a first migration. Documents have
 * no columns: what each of them holds is looked at, once.
 */
import type { Collection, Db, Document } from 'mongodb'
import mongoose from 'mongoose'
import type { StandingTable } from 'svc-orm/driver'
import { type ColumnPlan, type ColumnType, renamedIndex, type TablePlan } from 'svc-stores/table'
import { indexDescription } from './collection-indexes.ts'
import { holds, indexesOf } from './document-drift.ts'

/** What the documents of a collection hold in one of their fields. */
interface HeldField {
  /** Documents with a value. */
  count: number
  /** How many of them each column of the plan does not take, and what they hold instead. */
  readonly foreign: Map<ColumnPlan, Map<string, number>>
}

/** @param nameOf the collection of a plan */
export async function standingCollections(
  db: Db,
  plans: readonly TablePlan[],
  nameOf: (plan: TablePlan) => string
): Promise<readonly StandingTable[]> {
  const found: StandingTable[] = []
  for (const plan of plans) {
    const table = await standingCollection(db, plan, nameOf(plan))
    if (table !== null) found.push(table)
  }
  return found
}

async function standingCollection(db: Db, plan: TablePlan, name: string): Promise<StandingTable | null> {
  const { was } = plan
  const former =
    was !== undefined && (await isEmpty(db.collection(name))) && !(await isEmpty(db.collection(was.collection)))
  const collection = db.collection(former ? was.collection : name)
  if (!former && (await isEmpty(collection))) return null
  const { fields, both, documents } = await heldFields(collection, plan)
  const known = (await indexesOf(collection)).map((index) => index.name)
  const isThere = (each: string | undefined) => each !== undefined && (fields.get(each)?.count ?? 0) > 0
  // Where documents hold both, neither is the other: what stays is for a person to say.
  const nameThere = (column: ColumnPlan) =>
    isThere(column.was) && !both.has(column) ? (column.was as string) : column.name
  const there = new Map(plan.columns.map((column) => [column.name, nameThere(column)]))
  const standing = plan.columns.filter((column) => {
    return column.name === 'id' || column.nullable === true || isThere(nameThere(column))
  })
  const named = new Set([...there.keys(), ...there.values(), ...plan.columns.map(({ was }) => was), '_id', '__v'])
  return {
    plan,
    former,
    columns: [
      ...standing.map((column) => standingColumn(column, nameThere(column), fields, documents)),
      ...[...both].map(({ was = '' }): ColumnPlan => ({ name: was, type: 'json', nullable: true }))
    ],
    indexes: (plan.indexes ?? [])
      .map((index) => renamedIndex(index, (name) => there.get(name) ?? name))
      .filter((index) => index.on === 'sql' || known.includes(indexDescription(index).name)),
    others: [...fields.keys()].filter((field) => !named.has(field)),
    doubts: Object.fromEntries(
      standing.flatMap((column) => {
        const types = [...(fields.get(nameThere(column))?.foreign.get(column)?.keys() ?? [])]
        return types.length === 0 ? [] : [[column.name, types as ColumnType[]] as const]
      })
    )
  }
}

async function isEmpty(collection: Collection): Promise<boolean> {
  return (await collection.findOne({}, { projection: { _id: 1 } })) === null
}

async function heldFields(collection: Collection, plan: TablePlan) {
  const fields = new Map<string, HeldField>()
  const own = plan.columns.filter(({ name }) => name !== 'id')
  const both = new Set<ColumnPlan>()
  const holdsBoth = (document: Document, { name, was }: ColumnPlan) =>
    was !== undefined && (document[name] ?? null) !== null && (document[was] ?? null) !== null
  let documents = 0
  for await (const document of collection.find({}) as AsyncIterable<Document>) {
    documents += 1
    for (const column of own) if (holdsBoth(document, column)) both.add(column)
    for (const [name, value] of Object.entries(document)) {
      if (value === null || value === undefined) continue
      const field: HeldField = fields.get(name) ?? { count: 0, foreign: new Map() }
      fields.set(name, field)
      field.count += 1
      const strangers = own.filter((column) => (column.name === name || column.was === name) && !holds(column, value))
      for (const column of strangers) countKind(field, column, kindOf(value))
    }
  }
  return { fields, both, documents }
}

function countKind({ foreign }: HeldField, column: ColumnPlan, kind: string): void {
  const counts = foreign.get(column) ?? new Map<string, number>()
  foreign.set(column, counts.set(kind, (counts.get(kind) ?? 0) + 1))
}

/** As an entity would have it. */
function kindOf(value: unknown): ColumnType {
  const [item] = Array.isArray(value) ? value : [value]
  if (typeof item === 'string') return 'text'
  if (typeof item === 'boolean') return 'boolean'
  if (typeof item === 'number') return Number.isInteger(item) ? 'integer' : 'float'
  if (item instanceof Date) return 'date'
  if (item instanceof mongoose.mongo.ObjectId) return 'id'
  if (item instanceof mongoose.mongo.Long) return 'bigint'
  return item instanceof mongoose.mongo.Binary ? 'bytes' : 'json'
}

function standingColumn(
  column: ColumnPlan,
  name: string,
  fields: ReadonlyMap<string, HeldField>,
  documents: number
): ColumnPlan {
  const field = fields.get(name)
  const { was: _was, nullable = false, ...plain } = column
  const [most] = [...(field?.foreign.get(column) ?? [])].sort(([, a], [, b]) => b - a)
  const own = most === undefined ? plain : { name, type: most[0] as ColumnType }
  const mayBeNull = column.name !== 'id' && (nullable || (field?.count ?? 0) < documents)
  return { ...own, name, ...(mayBeNull && { nullable: true }) }
}
