/**
 * Where an existing table differs from its definition in a way that breaks writes or reads. Pure. Reported when the
 * connection opens, and never mended here. What breaks nothing is left out: other columns that may be null or have a
 * default, plain indexes, and defaults, as an insert names every column.
 */
import type { Difference } from 'svc-orm/driver'
import { columnName } from 'svc-stores/table'
import type { ExistingColumn, ExistingIndex, ExistingSchema } from './existing-schema.ts'
import { type ColumnDefinition, indexName, rowsOfIndex, type TableDefinition } from './table-definition.ts'

/** At most one problem per column, one per index. */
export function schemaDrift(
  { tables, indexes }: ExistingSchema,
  definitions: readonly TableDefinition[]
): Difference[] {
  return definitions.flatMap((definition) => {
    const standing = tables.get(definition.name)
    if (standing === undefined) return []
    const ownIndexes = indexes.filter(({ table }) => table === definition.name)
    const ofColumns = definition.columns.flatMap((column) =>
      columnDrift(definition.name, column, standing.get(column.name))
    )
    // What else somebody asks of a table is their own.
    if (definition.existing === true) return ofColumns
    return [
      ...ofColumns,
      ...leftColumns(definition, standing),
      ...keyDrift(definition, ownIndexes),
      ...leftIndexes(definition, ownIndexes)
    ]
  })
}

function columnDrift(
  table: string,
  { name, type, nullable }: ColumnDefinition,
  standing?: ExistingColumn
): Difference[] {
  if (standing === undefined) return []
  const at = `${table}.${name}`
  if (!standing.fits.includes(type)) {
    return [
      {
        code: 'SVC_ORM_COLUMN_TYPE',
        message: `the column ${at} has the type ${standing.type}, which does not fit its field: values are misread or refused`,
        expected: type,
        fix: `change the column to ${type} in a migration, or change the field back`,
        breaks: true
      }
    ]
  }
  if (standing.required === null || standing.required === (nullable !== true)) return []
  return [
    standing.required
      ? {
          code: 'SVC_ORM_COLUMN_NULL',
          message: `${at} is NOT NULL in the database, and its field is nullable: a row without it is refused`,
          fix: 'drop NOT NULL from the column in a migration, or make the field required',
          breaks: false
        }
      : {
          code: 'SVC_ORM_COLUMN_NULL',
          message: `${at} is nullable in the database, and its field is required: rows without a value are read as null`,
          fix: 'fill the rows and set the column NOT NULL in a migration, or make the field nullable',
          breaks: false
        }
  ]
}

/** Nothing names it, and no row can be made without it. */
function leftColumns({ name, columns }: TableDefinition, standing: ReadonlyMap<string, ExistingColumn>): Difference[] {
  // One that a migration is to rename is told as that.
  const renamed = columns.flatMap((column) =>
    standing.has(column.name) || column.was === undefined ? [] : [column.was]
  )
  const named = new Set([...columns.map((column) => column.name), ...renamed])
  return [...standing.values()]
    .filter((column) => column.required === true && !column.filled && !named.has(column.name))
    .map((column) => ({
      code: 'SVC_ORM_COLUMN_LEFT',
      message: `${name}.${column.name} is required in the database and has no field any more: every insert fails`,
      fix: 'drop the column or its NOT NULL in a migration, or declare the field again',
      breaks: true
    }))
}

/** Rows are found and settled by their key: without it, an upsert fails and an id may stand twice. */
function keyDrift({ name, primaryKey = ['id'] }: TableDefinition, indexes: readonly ExistingIndex[]): Difference[] {
  const isKey = ({ unique, columns, where }: ExistingIndex) =>
    unique && where === null && sameColumns(columns, primaryKey)
  if (indexes.some(isKey)) return []
  return [
    {
      code: 'SVC_ORM_KEY_MISSING',
      message: `${name} has no primary key of ${primaryKey.join(' and ')}: two rows can have the same key`,
      fix: `add the primary key (${primaryKey.join(', ')}) in a migration`,
      breaks: false
    }
  ]
}

/** It goes on refusing what the definition allows. One over some rows is known by its name, which is made of its condition. */
function leftIndexes(
  { name, primaryKey = ['id'], indexes: wanted = [] }: TableDefinition,
  indexes: readonly ExistingIndex[]
) {
  const unique = wanted.filter((index) => index.unique === true)
  const names = unique.map((index) => indexName(name, index))
  const ofAll = unique.filter((index) => rowsOfIndex(index).length === 0).map(({ columns }) => columns.map(columnName))
  const isWanted = ({ name: own, columns, where }: ExistingIndex) =>
    names.includes(own) || (where === null && [primaryKey, ...ofAll].some((known) => sameColumns(columns, known)))
  return indexes
    .filter((index) => index.unique && index.columns.length > 0 && !isWanted(index))
    .map((index): Difference => {
      const among = index.where === null ? '' : ` among rows where ${index.where}`
      return {
        code: 'SVC_ORM_INDEX_LEFT',
        message: `${name} (${index.columns.join(', ')}) is unique in the database${among} but not in the entity: equal values are refused`,
        fix: `drop the unique index ${index.name} in a migration, or declare it unique`,
        breaks: false
      }
    })
}

function sameColumns(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((column) => b.includes(column))
}
