/**
 * What has to be added to a database so that it carries some tables, and how those that stand differ. Pure.
 * Additive only: nothing is changed or dropped, and a required column without a
 * default is never added to an existing table.
 */
import type { Difference } from 'svc-orm'
import { columnName } from 'svc-stores/table'
import type { ExistingSchema } from './existing-schema.ts'
import { schemaDrift } from './schema-drift.ts'
import { type ColumnDefinition, indexName, type TableDefinition, type TableIndex } from './table-definition.ts'

export type SchemaStep =
  | { readonly kind: 'table'; readonly table: TableDefinition }
  | { readonly kind: 'column'; readonly table: string; readonly column: ColumnDefinition }
  | {
      readonly kind: 'index'
      readonly table: TableDefinition
      readonly name: string
      readonly index: TableIndex
    }

export interface SchemaPlan {
  readonly steps: readonly SchemaStep[]
  /** Required columns that are not there and cannot be added. */
  readonly missing: readonly { readonly table: string; readonly column: string }[]
  /** What exists, and does not fit. */
  readonly drift: readonly Difference[]
}

/** All that is to be told of it: what is missing, then what does not fit. */
export function differencesOf({ missing, drift }: SchemaPlan): readonly Difference[] {
  return [
    ...missing.map(({ table, column }) => ({
      code: 'SVC_ORM_REQUIRED_COLUMN',
      message: `${table}.${column} is required and cannot be added to a table with rows`,
      fix: 'make it nullable, or svc orm:reset (development only, deletes data)',
      // What needs it is refused with 503; nothing is written wrongly.
      breaks: false
    })),
    ...drift
  ]
}

type TablePlan = Omit<SchemaPlan, 'drift'>

export function planSchema(existing: ExistingSchema, definitions: readonly TableDefinition[]): SchemaPlan {
  const plans = definitions.map((definition) => planTable(existing, definition))
  return {
    steps: plans.flatMap(({ steps }) => steps),
    missing: plans.flatMap(({ missing }) => missing),
    drift: schemaDrift(existing, definitions)
  }
}

function planTable({ tables, indexes }: ExistingSchema, definition: TableDefinition): TablePlan {
  const { name: table, columns } = definition
  const known = tables.get(table)
  const absent = known === undefined ? [] : columns.filter(({ name }) => !known.has(name))
  const missing = absent.filter((column) => column.nullable !== true && column.default === undefined)
  const added = absent.filter((column) => !missing.includes(column))
  const isMissing = (name: string) => missing.some((column) => column.name === name)
  const wanted = (definition.indexes ?? [])
    .map((index) => ({ name: indexName(table, index), index }))
    .filter(
      ({ name, index }) =>
        !indexes.some((index) => index.name === name) && !index.columns.map(columnName).some(isMissing)
    )
  const steps: readonly SchemaStep[] = [
    ...(known === undefined ? [{ kind: 'table', table: definition } as const] : []),
    ...added.map((column) => ({ kind: 'column', table, column }) as const),
    ...wanted.map(({ name, index }) => ({ kind: 'index', table: definition, name, index }) as const)
  ]
  return { steps, missing: missing.map(({ name }) => ({ table, column: name })) }
}
