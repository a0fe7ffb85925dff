/**
 * The tables of a SQL database in the words of the plans that are laid over them. Pure: what SQLite keeps alike, text and
 * JSON, is told apart by the values that are passed in.
 */
import type { StandingTable } from 'svc-orm/driver'
import { type ColumnPlan, type ColumnType, renamedIndex, type TablePlan } from 'svc-stores/table'
import type { ExistingColumn, ExistingSchema } from '../schema/existing-schema.ts'
import { tableDefinition } from '../table/table-columns.ts'
import { indexOf } from './migrated-definitions.ts'

/** What the values of a column say, where the database does not: `null` where they do not say it either. */
export type HeldAs = (table: string, column: string) => 'text' | 'json' | null

/** As an entity would have it. */
const KINDS: Readonly<Record<string, ColumnType>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'bigint',
  float: 'float',
  boolean: 'boolean',
  date: 'date',
  bytes: 'bytes',
  json: 'json'
}

export function standingTables(
  schema: ExistingSchema,
  plans: readonly TablePlan[],
  heldAs: HeldAs
): readonly StandingTable[] {
  return plans.flatMap((plan) => standingTable(schema, plan, heldAs) ?? [])
}

/** Columns that may be text as well as JSON, of the tables of these plans. */
export function textOrJson({ tables }: ExistingSchema, plans: readonly TablePlan[]): readonly [string, string][] {
  return plans.flatMap((plan) => {
    const [table, columns] = tableOf(tables, plan)
    const both = [...(columns?.values() ?? [])].filter(({ fits }) => fits.includes('text') && fits.includes('json'))
    return both.map(({ name }): [string, string] => [table, name])
  })
}

function tableOf(
  tables: ExistingSchema['tables'],
  { name, was }: TablePlan
): readonly [table: string, columns: ReadonlyMap<string, ExistingColumn> | undefined] {
  const table = was !== undefined && !tables.has(name) && tables.has(was.name) ? was.name : name
  return [table, tables.get(table)]
}

function standingTable(
  { tables, indexes, methods }: ExistingSchema,
  plan: TablePlan,
  heldAs: HeldAs
): StandingTable | null {
  const [table, live] = tableOf(tables, plan)
  if (live === undefined) return null
  const nameThere = ({ name, was }: ColumnPlan) => (!live.has(name) && was !== undefined && live.has(was) ? was : name)
  const planned = plan.columns.flatMap((column) => {
    const standing = live.get(nameThere(column))
    return standing === undefined ? [] : [{ column, standing }]
  })
  const named = new Set(planned.map(({ standing }) => standing.name))
  const left = [...live.values()].filter(({ name }) => !named.has(name))
  const isWas = (name: string) => plan.columns.some(({ was }) => was === name)
  // What a name before still names has to be decided; what refuses every insert cannot be left.
  const taken = left.filter(({ name, required, filled }) => isWas(name) || (required === true && !filled))
  const kinds = new Map(
    planned.map((each) => [each, kindsOf(each.column, each.standing, heldAs(table, each.standing.name))])
  )
  const names = new Set(indexes.filter((index) => index.table === table).map(({ name }) => name))
  const there = new Map(plan.columns.map((column) => [column.name, nameThere(column)]))
  return {
    plan,
    former: table !== plan.name,
    columns: [
      ...planned.map((each) => standingColumn(each.column, each.standing, kinds.get(each) ?? null)),
      ...taken.map((standing) => standingColumn(null, standing, kindsOf(null, standing, heldAs(table, standing.name))))
    ],
    indexes: (plan.indexes ?? [])
      .map((index) => renamedIndex(index, (name) => there.get(name) ?? name))
      .filter((index) => {
        const isAbsent = index.method !== undefined && !methods.includes(index.method)
        return index.on === 'documents' || isAbsent || names.has(indexOf(table, index)[1])
      }),
    others: left.filter((column) => !taken.includes(column)).map(({ name }) => name),
    doubts: Object.fromEntries(
      planned.flatMap((each) => {
        const doubts =
          kinds.get(each) ?? (mayCountUnits(each.column, each.standing) ? (['bigint', 'integer'] as const) : [])
        return doubts.length === 0 ? [] : [[each.column.name, doubts] as const]
      })
    )
  }
}

/** `null`: the column keeps what the plan says. */
function kindsOf(
  column: ColumnPlan | null,
  { fits }: ExistingColumn,
  held: 'text' | 'json' | null
): readonly ColumnType[] | null {
  const kinds = fits.flatMap((type) => KINDS[type] ?? [])
  const likely = held === null ? kinds : kinds.filter((kind) => kind === held || !['text', 'json'].includes(kind))
  if (column === null) return likely
  const [wanted] = tableDefinition({ name: '', columns: [column] }).columns
  const doubtful = kinds.includes('text') && kinds.includes('json') && held !== null
  const fit = wanted !== undefined && fits.includes(wanted.type) && (!doubtful || wanted.type === held)
  return fit ? null : likely
}

/** An integer column that is to keep decimals: whether its values count them already is not said. */
function mayCountUnits({ scale = 0 }: ColumnPlan, { fits }: ExistingColumn): boolean {
  return scale > 0 && fits.includes('integer') && fits.includes('bigint')
}

function standingColumn(
  column: ColumnPlan | null,
  { name, required }: ExistingColumn,
  kinds: readonly ColumnType[] | null
): ColumnPlan {
  const isKey = name === 'id'
  const nullable = !isKey && (required ?? column?.nullable !== true) === false
  const { was: _was, nullable: _nullable, ...plain } = column ?? { name, type: 'text' as const }
  const own = kinds === null ? plain : { name, type: kinds[0] ?? 'text' }
  return { ...own, name, ...(nullable && { nullable }) }
}
