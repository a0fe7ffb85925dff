/**
 * The indexes of a collection. A unique index leaves out documents without one of its optional fields: what holds null
 * never collides. Pure.
 */
import { hash } from 'node:crypto'
import type { CreateIndexesOptions, Document, IndexDescription } from 'mongodb'
import type { Schema } from 'mongoose'
import type { MigratedIndex } from 'svc-orm/driver'
import {
  columnName,
  columnOf,
  type IndexCondition,
  type IndexPlan,
  type ItemIndexPlan,
  indexColumns,
  indexConditions,
  keyOf,
  rowsOfIndex,
  type TablePlan
} from 'svc-stores/table'
import { DOCUMENT_TYPES } from './document-types.ts'

export interface UniqueIndex {
  readonly description: IndexDescription
  readonly columns: readonly string[]
  /** With those that decide which rows it holds. */
  readonly named: readonly string[]
}

/** The field of a column among documents: a key of one column is `_id`, unless the plan names a field. */
export function fieldOf(plan: TablePlan, name: string): string {
  const [only, ...others] = keyOf(plan)
  const { field } = columnOf(plan, name)
  return field ?? (name === only && others.length === 0 ? '_id' : name)
}

/** The indexes that documents need by this plan. A key of several columns, or of a field of its own, has a unique one. */
export function collectionIndexes(plan: TablePlan): IndexDescription[] {
  return [
    ...ownIndexes(plan).map((index) => columnIndex(plan, index)),
    ...(plan.itemIndexes ?? []).flatMap((index) => itemIndex(plan, index))
  ]
}

/** An index without its plan, as a migration has it. */
export function indexDescription({ nullable = [], ...index }: MigratedIndex): IndexDescription {
  const names = new Set(['id', ...indexColumns(index)])
  const columns = [...names].map((name) => ({ name, type: 'text' as const, nullable: nullable.includes(name) }))
  return columnIndex({ name: 'index', columns }, index)
}

/** The indexes of a class, with the options that only its author knows. */
export function nativeIndexes(schema: Schema): IndexDescription[] {
  return schema.indexes().map(([keys, given]) => {
    const { background: _background, ...options } = { ...given } as CreateIndexesOptions
    return { key: keys as IndexDescription['key'], ...options }
  })
}

/**
 * The columns of the unique index that refused a write: by its pattern; servers that say none name the index. One that
 * says neither, as for an update that answers its document, can only mean the one unique index, where there is one.
 */
export function collidingColumns(plan: TablePlan, error: unknown): readonly string[] {
  const { keyPattern, message } = error as { keyPattern?: Record<string, unknown>; message?: string }
  if (keyPattern !== undefined) return columnsAt(plan, Object.keys(keyPattern))
  const name = /^E11000 [^{]*?index: (\S+)/.exec(message ?? '')?.[1]
  if (name === '_id_') return keyOf(plan)
  const unique = uniqueIndexes(plan)
  if (name === undefined) return unique.length === 1 ? (unique[0]?.columns ?? []) : []
  const names = ({ key, name: own }: IndexDescription) => [
    own,
    Object.entries(key)
      .map((each) => each.join('_'))
      .join('_')
  ]
  return unique.find(({ description }) => names(description).includes(name))?.columns ?? []
}

/** The columns of the one unique index that can have refused a change; none where several can. @param change of columns */
export function changedUnique(plan: TablePlan, change: object): readonly string[] {
  const changed = new Set(Object.values<object>({ ...change }).flatMap((part) => Object.keys(part)))
  const [only, ...others] = uniqueIndexes(plan).filter(({ named }) => named.some((column) => changed.has(column)))
  return only === undefined || others.length > 0 ? [] : only.columns
}

/** Those that can refuse a write, besides `_id`. */
export function uniqueIndexes(plan: TablePlan): readonly UniqueIndex[] {
  const ofColumns = ownIndexes(plan).filter(({ unique }) => unique === true)
  const ofItems = (plan.itemIndexes ?? []).filter(({ unique }) => unique === true)
  return [
    ...ofColumns.map((index) => ({
      description: columnIndex(plan, index),
      columns: index.columns.map(columnName),
      named: indexColumns(index)
    })),
    ...ofItems.flatMap((index) => {
      const columns = [index.column]
      return itemIndex(plan, index).map((description) => ({ description, columns, named: columns }))
    })
  ]
}

function ownIndexes(plan: TablePlan): readonly IndexPlan[] {
  const key = keyOf(plan)
  const own = (plan.indexes ?? []).filter(({ on }) => on !== 'sql')
  const isOfKey = ({ columns, unique }: IndexPlan) =>
    unique === true && columns.length === key.length && columns.every((column) => key.includes(columnName(column)))
  if (fieldOf(plan, key[0] ?? 'id') === '_id' || own.some(isOfKey)) return own
  return [{ columns: key, unique: true }, ...own]
}

function columnIndex(plan: TablePlan, index: IndexPlan): IndexDescription {
  const { columns, unique = false, name } = index
  const names = columns.map(columnName)
  const optional = plan.columns.filter((column) => unique && column.nullable === true && names.includes(column.name))
  const where = indexConditions(index)
  // A comparison says it as well, and some servers take one test of a field.
  const compared = new Set(where.flatMap(({ field, operator }) => (operator === 'null' ? [] : [field])))
  const isHeld = ({ field, operator, value }: IndexCondition) => operator === 'null' && !value && field === index.held
  const partial: Record<string, Document> = whereThere(
    optional.filter((each) => !compared.has(each.name)).map((each) => fieldOf(plan, each.name))
  )
  for (const condition of where) {
    const field = fieldOf(plan, condition.field)
    partial[field] = { ...partial[field], ...conditionTest(condition) }
  }
  const key = columns.map((column) => [
    fieldOf(plan, columnName(column)),
    typeof column === 'string' || column[1] === 'asc' ? 1 : -1
  ])
  const others = where.filter((each) => !isHeld(each))
  return {
    key: Object.fromEntries(key) as Record<string, 1 | -1>,
    name: name ?? `${unique ? 'unique' : 'by'}_${names.join('_')}${others.length === 0 ? '' : `_${shortHash(others)}`}`,
    ...(unique && { unique }),
    ...(Object.keys(partial).length > 0 && { partialFilterExpression: partial })
  }
}

const COMPARISONS = { eq: '$eq', gt: '$gt', gte: '$gte', lt: '$lt', lte: '$lte' } as const

function conditionTest(condition: IndexCondition): Document {
  if (condition.operator === 'null') return condition.value ? { $eq: null } : { $exists: true }
  const { write } = DOCUMENT_TYPES[condition.type]
  const [{ value } = { value: null }] = rowsOfIndex({ where: [condition] })
  return { [COMPARISONS[condition.operator]]: write === undefined ? value : write(value) }
}

/** Two indexes of the same fields have two names. */
function shortHash(where: readonly IndexCondition[]): string {
  return hash('sha256', JSON.stringify(where)).slice(0, 8)
}

/** Only one with a name: the server can index into the list of a column index as well. Fields go by their names. */
function itemIndex(plan: TablePlan, { column, fields, unique = false, name }: ItemIndexPlan): IndexDescription[] {
  if (name === undefined) return []
  const list = fieldOf(plan, column)
  const paths = fields === undefined ? [list] : fields.toSorted().map((field) => `${list}.${field}`)
  const last = paths.at(-1) ?? list
  return [
    {
      key: Object.fromEntries(paths.map((path) => [path, 1])),
      name,
      ...(unique && { unique, partialFilterExpression: whereThere([last]) })
    }
  ]
}

function whereThere(fields: readonly string[]): Record<string, Document> {
  return Object.fromEntries(fields.map((field) => [field, { $exists: true }]))
}

/** Of paths of documents; one into a list is of its column. */
function columnsAt(plan: TablePlan, paths: readonly string[]): readonly string[] {
  const key = keyOf(plan)
  return [
    ...new Set(
      paths.flatMap((path) => {
        const [head = path] = path.split('.')
        if (head === '_id') return key
        return [plan.columns.find(({ name }) => fieldOf(plan, name) === head)?.name ?? head]
      })
    )
  ]
}
