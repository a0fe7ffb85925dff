/**
 * What has to be added to a database so that it carries some tables, and how those that stand differ. Pure.
 * Additive only: nothing is changed or dropped, and a required column without a
 * default is never added to an existing table.
 */
import type { Difference } from 'svc-orm/driver'
import { columnName, type IndexMethod } from 'svc-stores/table'
import type { ExistingSchema } from './existing-schema.ts'
import { schemaDrift } from './schema-drift.ts'
import {
  type ColumnDefinition,
  columnsOfIndex,
  indexName,
  type TableDefinition,
  type TableIndex,
  type TableReference
} from './table-definition.ts'

export type SchemaStep =
  | { readonly kind: 'table'; readonly table: TableDefinition }
  | {
      readonly kind: 'column'
      readonly table: string
      readonly column: ColumnDefinition
      readonly reference?: TableReference
    }
  | { readonly kind: 'reference'; readonly table: string; readonly reference: TableReference }
  | {
      readonly kind: 'index'
      readonly table: TableDefinition
      readonly name: string
      readonly index: TableIndex
    }

export interface MissingColumn {
  readonly table: string
  readonly column: string
  /** The column that exists. */
  readonly was?: string
  /** The column whose folded text it holds. */
  readonly folds?: string
  /** The table is somebody else's, and is not to be changed. */
  readonly existing?: boolean
}

export interface UnknownMethod {
  readonly table: string
  readonly columns: readonly string[]
  readonly method: IndexMethod
}

export interface SchemaPlan {
  readonly steps: readonly SchemaStep[]
  /** Columns that are not there and cannot be added: required ones, and those that stand under the name they had before. */
  readonly missing: readonly MissingColumn[]
  /** Tables that stand under the name they had before: nothing can be done with them. */
  readonly renamed: readonly Difference[]
  /** Indexes of a kind that the database does not have: it does without, and reads more. */
  readonly unindexed: readonly UnknownMethod[]
  /** What exists, and does not fit. */
  readonly drift: readonly Difference[]
}

/** All that is to be told of it: what is missing, then what does not fit. */
export function differencesOf({ missing, renamed, drift }: SchemaPlan): readonly Difference[] {
  return [...renamed, ...missing.map(missingDifference), ...drift]
}

/** Those that end a boot where the policy says so. */
export function breakingOf(plan: SchemaPlan): readonly Difference[] {
  return differencesOf(plan).filter(({ breaks }) => breaks)
}

function missingDifference({ table, column, was, folds, existing }: MissingColumn): Difference {
  if (existing === true) {
    return {
      code: 'SVC_ORM_EXISTING_COLUMN',
      message: `${table}.${column} does not exist in the existing table`,
      fix: 'name the existing column in existing.columns, or remove the field',
      breaks: true
    }
  }
  if (was !== undefined) return renameDifference(`${table}.${column}`, `${table}.${was}`)
  return {
    code: 'SVC_ORM_REQUIRED_COLUMN',
    message:
      folds === undefined
        ? `${table}.${column} is required and cannot be added to a table with rows`
        : `${table}.${column} holds the folded text of ${folds} and cannot be added to a table with rows`,
    fix: folds === undefined ? `make it nullable, or ${MIGRATE}` : MIGRATE,
    // What needs it is refused with 503; nothing is written wrongly.
    breaks: false
  }
}

const MIGRATE = 'npx svc orm:diff and npx svc orm:migrate; in development npx svc orm:reset, which deletes data'

function renameDifference(name: string, was: string): Difference {
  return {
    code: 'SVC_ORM_RENAMED',
    message: `${name} is still named ${was} in the database and needs a migration that renames it`,
    fix: 'npx svc orm:diff rename, then npx svc orm:migrate',
    breaks: true
  }
}

type TablePlan = Omit<SchemaPlan, 'drift'>

export function planSchema(existing: ExistingSchema, definitions: readonly TableDefinition[]): SchemaPlan {
  const plans = definitions.map((definition) => planTable(existing, definition))
  const steps = plans.flatMap((plan) => plan.steps)
  return {
    // Tables may refer to each other: all of them stand first.
    steps: [...steps, ...steps.flatMap(referenceSteps)],
    missing: plans.flatMap(({ missing }) => missing),
    renamed: plans.flatMap(({ renamed }) => renamed),
    unindexed: plans.flatMap(({ unindexed }) => unindexed),
    drift: schemaDrift(existing, definitions)
  }
}

/** Of what is made: a table or a column that exists without its foreign key gets it by a migration. */
function referenceSteps(step: SchemaStep): SchemaStep[] {
  if (step.kind === 'column' && step.reference !== undefined)
    return [{ kind: 'reference', table: step.table, reference: step.reference }]
  if (step.kind !== 'table') return []
  const { name: table, references = [] } = step.table
  return references.map((reference) => ({ kind: 'reference', table, reference }))
}

function columnStep({ name: table, references = [] }: TableDefinition, column: ColumnDefinition): SchemaStep {
  const reference = references.find((each) => each.column === column.name)
  return { kind: 'column', table, column, ...(reference !== undefined && { reference }) }
}

/** Nothing is added. A table that is not there lacks every column. */
function existingPlan(
  { name: table, columns }: TableDefinition,
  known: ReadonlyMap<string, unknown> | undefined
): TablePlan {
  const missing = columns.filter(({ name }) => known?.has(name) !== true)
  const told = missing.map(({ name }) => ({ table, column: name, existing: true }))
  return { steps: [], missing: told, renamed: [], unindexed: [] }
}

function planTable({ tables, indexes, methods }: ExistingSchema, definition: TableDefinition): TablePlan {
  const { name: table, columns, was, existing } = definition
  const known = tables.get(table)
  if (existing === true) return existingPlan(definition, known)
  if (known === undefined && was !== undefined && tables.has(was)) {
    return { steps: [], missing: [], renamed: [renameDifference(table, was)], unindexed: [] }
  }
  const absent = known === undefined ? [] : columns.filter(({ name }) => !known.has(name))
  const standsAs = ({ was: former }: ColumnDefinition) =>
    former !== undefined && known?.has(former) ? former : undefined
  const isAddable = ({ nullable, default: preset, folds }: ColumnDefinition) =>
    folds === undefined && (nullable === true || preset !== undefined)
  const missing = absent.filter((column) => standsAs(column) !== undefined || !isAddable(column))
  const added = absent.filter((column) => !missing.includes(column))
  const isMissing = (name: string) => missing.some((column) => column.name === name)
  const isKnown = ({ method }: TableIndex) => method === undefined || methods.includes(method)
  const wanted = (definition.indexes ?? [])
    .filter(isKnown)
    .map((index) => ({ name: indexName(table, index), index }))
    .filter(
      ({ name, index }) => !indexes.some((index) => index.name === name) && !columnsOfIndex(index).some(isMissing)
    )
  const steps: readonly SchemaStep[] = [
    ...(known === undefined ? [{ kind: 'table', table: definition } as const] : []),
    ...added.map((column) => columnStep(definition, column)),
    ...wanted.map(({ name, index }) => ({ kind: 'index', table: definition, name, index }) as const)
  ]
  const told = missing.map((column) => {
    const former = standsAs(column)
    const { name, folds } = column
    return { table, column: name, ...(former !== undefined && { was: former }), ...(folds !== undefined && { folds }) }
  })
  return {
    steps,
    missing: told,
    renamed: [],
    unindexed: (definition.indexes ?? [])
      .filter((each) => !isKnown(each))
      .map(({ columns, method }) => ({ table, columns: columns.map(columnName), method: method as IndexMethod }))
  }
}
