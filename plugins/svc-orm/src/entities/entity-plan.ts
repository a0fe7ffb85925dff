/** An entity as a table of the storage port: its columns, `id` first, and its indexes. Pure. */
import { type ColumnPlan, type IndexPlan, type ReferencePlan, renamedIndex, type TablePlan } from 'svc-stores/table'
import { snakeCase } from './compile-fields.ts'
import type { CompiledEntity, CompiledField, CompiledIndex } from './compiled-entity.ts'
import type { ExistingTable } from './entity-definition.ts'
import { columnOf } from './existing-table.ts'
import { foldedColumn, foldedName } from './folded-fields.ts'
import { hashColumn } from './hash-column.ts'
import { wordsColumns, wordsIndexes } from './searched-fields.ts'

const plans = new WeakMap<CompiledEntity, TablePlan>()

/** The plan of an entity, made once: in SQL a table with the name in snake_case, among documents a collection with the entity's. */
export function entityPlan(given: CompiledEntity): TablePlan {
  const entity = given.part?.of ?? given
  const known = plans.get(entity)
  if (known !== undefined) return known
  const made = planOf(entity)
  plans.set(entity, made)
  return made
}

/** Beside the fields that indexes fold. */
function foldedColumns({ fields }: CompiledEntity): readonly ColumnPlan[] {
  return [...fields.values()].filter(({ folded }) => folded !== undefined).map(foldedColumn)
}

/** Columns that stay for now, beside those of the plan: migrations alone know of them. */
export function retiredColumns({ retired }: CompiledEntity): readonly ColumnPlan[] {
  return retired.map((field) => columnPlan({ ...field, nullable: true }))
}

function planOf(entity: CompiledEntity): TablePlan {
  const { name, table, fields, indexes, place, was, existing } = entity
  if (existing !== undefined) return existingPlan(entity, existing)
  const references = referencePlans(entity)
  const key = entity.id.key?.names
  return {
    name: table,
    collection: name,
    ...(was !== undefined && { was: { name: snakeCase(was), collection: was } }),
    record: name,
    ...(key !== undefined && { key }),
    columns: [
      ...(key === undefined ? [columnPlan(entity.id)] : []),
      ...[...fields.values()].flatMap(columnPlans),
      ...foldedColumns(entity),
      ...wordsColumns(entity)
    ],
    indexes: [
      ...indexes
        .filter((index) => !isOfKey(index, key))
        .map((index) => inColumns(index, fields))
        .flatMap((index) => indexPlans(index, entity)),
      // In SQL the primary key is one; documents have theirs beside it.
      ...(key === undefined ? [] : [{ columns: key, unique: true, on: 'documents' } as const]),
      ...wordsIndexes(entity)
    ],
    ...(references.length > 0 && { references }),
    place
  }
}

/** Where the repository does what `onDelete` says, the database only sees to it that it was done. */
function referencePlans({ relations }: CompiledEntity): ReferencePlan[] {
  return [...relations.values()].flatMap(({ name, field, reference }) => {
    if (reference === undefined) return []
    const { table, key, within, onDelete, deferrable, byRepository } = reference
    return [
      {
        column: field,
        relation: name,
        table,
        key,
        ...(within !== undefined && { within }),
        onDelete: byRepository ? 'restrict' : onDelete,
        ...(deferrable && { deferrable })
      }
    ]
  })
}

/** Its columns under their own names, and what is unique there. A view may say less of null than it keeps. */
function existingPlan(entity: CompiledEntity, { name: table, columns = {} }: ExistingTable): TablePlan {
  const { name, id, fields, indexes, place } = entity
  const keys = id.key?.names ?? ['id']
  const key = keys.map((field) => columnOf(entity, field))
  const [idColumn = ''] = key
  const own =
    id.key === undefined
      ? [{ ...columnPlan(id), name: idColumn, ...(Object.hasOwn(columns, 'id') && { field: idColumn }) }]
      : []
  const named = [...fields.values()].map((field) => ({ ...columnPlan(field), name: columnOf(entity, field.name) }))
  return {
    name: table,
    collection: table,
    existing: true,
    record: name,
    key,
    columns: [...own, ...named],
    indexes: indexes
      .filter(({ unique, fields: names }) => unique && !isSame(names, keys))
      .map((index) => renamedIndex(uniquePlan(index), (field) => columnOf(entity, field))),
    place
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each) => b.includes(each))
}

/** A searchable sealed field has two columns. */
function columnPlans(field: CompiledField): readonly ColumnPlan[] {
  const { name, sealed, was } = field
  if (sealed !== 'searchable') return [columnPlan(field)]
  const hash = { name: hashColumn(name), type: 'text', nullable: true } as const
  return [columnPlan(field), { ...hash, ...(was !== undefined && { was: hashColumn(was) }) }]
}

/** Of sealed fields an index holds the hashes. */
function inColumns(index: CompiledIndex, fields: CompiledEntity['fields']): CompiledIndex {
  if (index.fields.every((name) => fields.get(name)?.sealed === undefined)) return index
  return { ...index, fields: index.fields.map((name) => (fields.get(name)?.sealed ? hashColumn(name) : name)) }
}

function columnPlan(field: CompiledField): ColumnPlan {
  if (field.sealed !== undefined) return sealedPlan(field)
  const { name, idType, fieldType, array, nullable, was, scale = 0 } = field
  const preset = presetOf(field)
  return {
    name,
    type: idType ?? fieldType.storage,
    ...(array && { list: true }),
    ...(nullable && { nullable }),
    ...(scale > 0 && { scale }),
    ...(preset !== undefined && { default: preset }),
    ...(was !== undefined && { was })
  }
}

function sealedPlan({ name, nullable, was }: CompiledField): ColumnPlan {
  return { name, type: 'text', ...(nullable && { nullable }), ...(was !== undefined && { was }) }
}

/** As a column has it: exact numbers in units, text in its one spelling. */
function presetOf(field: CompiledField): ColumnPlan['default'] {
  const { default: preset, fieldType } = field
  if (preset === undefined || preset === null) return undefined
  const read = fieldType.can.compare ? fieldType.read(preset, field) : undefined
  if (typeof read === 'number') return read
  return typeof read === 'string' || typeof read === 'bigint' ? String(read) : preset
}

/** The index of the key is there, and finds rows by its first field as well. */
function isOfKey({ fields, unique, where, folded, method }: CompiledIndex, key: readonly string[] = []): boolean {
  if (where !== undefined || folded !== undefined || method !== undefined) return false
  return unique ? isSame(fields, key) : fields.length === 1 && fields[0] === key[0]
}

/** In SQL an index ends with the key, as every order does: a page is then read from the index only. */
function indexPlans(index: CompiledIndex, entity: CompiledEntity): IndexPlan[] {
  const { fields, unique, where, method } = index
  const key = entity.id.key?.names ?? ['id']
  if (unique) return [uniquePlan(index)]
  const columns = columnsOf(index)
  const rows = where === undefined ? {} : { where }
  if (method !== undefined) {
    // Documents look into the list of any index.
    const isList = entity.fields.get(fields[0] ?? '')?.array === true
    return [
      { columns, ...rows, method, on: 'sql' },
      ...(isList ? [{ columns, ...rows, on: 'documents' } as const] : [])
    ]
  }
  if (entity.referredWithin === true && isOfScope(index, entity)) {
    // What a foreign key names is unique in SQL.
    return [
      { columns, unique: true, on: 'sql' },
      { columns, on: 'documents' }
    ]
  }
  if (fields.includes('id')) return [{ columns, ...rows }]
  return [
    { columns: [...columns, ...key.filter((name) => !columns.includes(name))], ...rows, on: 'sql' },
    { columns, ...rows, on: 'documents' }
  ]
}

/** Of all rows, by their scope and id. */
function isOfScope({ fields, where }: CompiledIndex, { scope }: CompiledEntity): boolean {
  return fields.length === 2 && fields[0] === scope?.field && fields[1] === 'id' && where === undefined
}

function uniquePlan(index: CompiledIndex): IndexPlan {
  const { where } = index
  return { columns: columnsOf(index), unique: true, ...(where !== undefined && { where }) }
}

function columnsOf({ fields, folded = [] }: CompiledIndex): readonly string[] {
  return fields.map((name) => (folded.includes(name) ? foldedName(name) : name))
}
