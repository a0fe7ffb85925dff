/**
 * Conditions and orders on the rows of one table, rewritten for a table that lies below it: other names and values of
 * columns, more conditions on the rows that a question reaches. A kind of condition that this file does not know does not
 * compile. Pure.
 */
import {
  type AfterCondition,
  type ColumnCondition,
  type Condition,
  type ConditionValue,
  type MeasuredCondition,
  NOTHING,
  type RelatedCondition,
  type RelatedMeasure,
  type RelatedRows,
  type TreeCondition
} from './condition.ts'
import type { ReachedValue, SortKey, SortValue, Step } from './sort-key.ts'
import type { CountedRows } from './table.ts'
import type { TablePlan } from './table-plan.ts'

/** How questions about the rows of one table are rewritten. A part that is absent changes nothing. */
export interface Rewrite {
  /** The name of a column in the table below. Throws for a column that questions must not name. */
  column?(name: string): string
  /** A value of a column, as the table below holds it. */
  value?<Value>(column: string, value: Value): Value
  /** What takes the place of a condition on a column. `null`: the same condition, with `column` and `value`. */
  condition?(condition: ColumnCondition): Condition | null
  /** What rows that a question about another table reaches meet as well. */
  readonly only?: NonNullable<Step['only']> | null
  /** A column that the table below has as several. */
  readonly parts?: ColumnParts
  /** How the rows of another table are rewritten. */
  of(table: TablePlan): Rewrite
}

/** One column in the place of several: what is asked of it is asked of those, which are then rewritten. */
export interface ColumnParts {
  readonly column: string
  conditions(condition: ColumnCondition): readonly Condition[]
  order(order: readonly SortKey[]): readonly SortKey[]
  /** Values by the order with the one column, in the order of its parts. @returns `null`: no row comes after them */
  places(order: readonly SortKey[], values: readonly ConditionValue[]): readonly ConditionValue[] | null
}

/** The conditions themselves where nothing in them changes. */
export function rewriteConditions(given: readonly Condition[], rewrite: Rewrite): readonly Condition[] {
  const conditions = rewrite.parts === undefined ? given : inParts(given, rewrite.parts)
  if (!changesColumns(rewrite) && !conditions.some(reaches)) return conditions
  return conditions.map((condition) => rewriteCondition(condition, rewrite))
}

function inParts(given: readonly Condition[], parts: ColumnParts): readonly Condition[] {
  const isOfParts = (condition: Condition): condition is ColumnCondition =>
    !reaches(condition) && (condition as ColumnCondition).field === parts.column
  return given.flatMap((each) => (isOfParts(each) ? parts.conditions(each) : [each]))
}

/** The order itself where nothing in it changes. */
export function rewriteOrder(given: readonly SortKey[], rewrite: Rewrite): readonly SortKey[] {
  const order = rewrite.parts?.order(given) ?? given
  if (!changesColumns(rewrite) && order.every(({ by }) => by === undefined)) return order
  return order.map((key) => {
    const { field, by } = key
    return by === undefined ? { ...key, field: renamed(rewrite, field) } : { ...key, by: rewriteSortValue(by, rewrite) }
  })
}

/** Rows that are counted meet what questions about their table meet. */
export function rewriteCounted(given: readonly CountedRows[], rewrite: Rewrite): readonly CountedRows[] {
  return given.map(({ name, rows }) => ({ name, rows: rewriteCondition(rows, rewrite) as RelatedCondition }))
}

function changesColumns({ column, value, condition }: Rewrite): boolean {
  return column !== undefined || value !== undefined || condition !== undefined
}

const REACHING: ReadonlySet<string> = new Set(['related', 'measured', 'tree'])

/** Whether it is more than a condition on a column. */
function reaches(condition: Condition): boolean {
  return !('field' in condition) || REACHING.has(condition.operator)
}

function rewriteCondition(condition: Condition, rewrite: Rewrite): Condition {
  switch (condition.operator) {
    case 'any':
      return { ...condition, of: condition.of.map((set) => rewriteConditions(set, rewrite)) }
    case 'not':
      return { ...condition, of: rewriteConditions(condition.of, rewrite) }
    case 'search':
      return { ...condition, columns: condition.columns.map((column) => renamed(rewrite, column)) }
    case 'after':
      return rewriteAfter(condition, rewrite)
    case 'related':
      return { ...condition, ...rewriteRows(condition, rewrite) }
    case 'measured':
      return { ...condition, ...rewriteRows(condition, rewrite), ...rewriteMeasured(condition, rewrite) }
    case 'tree':
      return rewriteTree(condition, rewrite)
    default:
      return rewrite.condition?.(condition) ?? rewriteColumn(condition, rewrite)
  }
}

/** Every operator by its name: one that may name further columns does not compile before it is here. */
function rewriteColumn(condition: ColumnCondition, rewrite: Rewrite): ColumnCondition {
  if (!changesColumns(rewrite)) return condition
  const field = renamed(rewrite, condition.field)
  const held = (value: ConditionValue) => storedValue(rewrite, condition.field, value)
  switch (condition.operator) {
    case 'eq':
    case 'ne':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return { ...condition, field, value: held(condition.value) }
    case 'in':
    case 'nin':
    case 'has':
    case 'hasnt':
      return { ...condition, field, values: condition.values.map(held) }
    case 'fields':
      return { ...condition, field, other: renamed(rewrite, condition.other) }
    case 'holds':
    case 'lacks':
    case 'like':
    case 'contains':
    case 'starts':
    case 'null':
    case 'path':
      return { ...condition, field }
  }
}

function rewriteAfter({ operator, order: given, values: places }: AfterCondition, rewrite: Rewrite): Condition {
  const { parts } = rewrite
  const order = parts?.order(given) ?? given
  const values = parts === undefined ? places : parts.places(given, places)
  if (values === null) return NOTHING
  const held = order.map((key, place) => rewritePlace(key, values[place] as ConditionValue, rewrite))
  return { operator, order: rewriteOrder(given, rewrite), values: held }
}

/** A value of what rows are sorted by. */
function rewritePlace({ field, by }: SortKey, value: ConditionValue, rewrite: Rewrite): ConditionValue {
  if (by === undefined) return storedValue(rewrite, field, value)
  return by.kind === 'reached' ? storedValue(rewrite.of((by.steps.at(-1) as Step).table), by.column, value) : value
}

/** Rows of another table, all and the first, meet what questions about that table meet. */
function rewriteRows({ field, table, column, of, first }: RelatedRows, rewrite: Rewrite): RelatedRows {
  const other = rewrite.of(table)
  return {
    field: renamed(rewrite, field),
    table,
    column: renamed(other, column),
    of: reachedRows(of, other),
    ...(first && { first: { ...first, of: reachedRows(first.of, other), order: rewriteOrder(first.order, other) } })
  }
}

function reachedRows(conditions: readonly Condition[], other: Rewrite): readonly Condition[] {
  const rewritten = rewriteConditions(conditions, other)
  return other.only ? [...rewritten, { field: other.only.column, operator: 'eq', value: other.only.value }] : rewritten
}

/** A walk begins with rows that it may cross. */
function rewriteTree(condition: TreeCondition, rewrite: Rewrite): TreeCondition {
  const { field, table, key, parent, from, of } = condition
  const other = rewrite.of(table)
  return {
    ...condition,
    ...{ field: renamed(rewrite, field), key: renamed(other, key), parent: renamed(other, parent) },
    ...{ from: rewriteConditions(from, other), of: reachedRows(of, other) }
  }
}

function rewriteMeasured(condition: MeasuredCondition, rewrite: Rewrite): { measure: RelatedMeasure; other?: string } {
  const { measure, table } = condition
  return {
    measure: 'column' in measure ? { ...measure, column: renamed(rewrite.of(table), measure.column) } : measure,
    ...('other' in condition && { other: renamed(rewrite, condition.other) })
  }
}

function rewriteSortValue(by: SortValue, rewrite: Rewrite): SortValue {
  switch (by.kind) {
    case 'path':
      return { ...by, column: renamed(rewrite, by.column) }
    case 'ranked':
      return { ...by, columns: by.columns.map((each) => ({ ...each, column: renamed(rewrite, each.column) })) }
    case 'counted':
      return { ...by, ...rewriteStep(by, rewrite, rewrite.of(by.table)) }
    case 'reached':
      return rewriteReached(by, rewrite)
  }
}

/** What references lead to, by the columns of the table below. */
export function rewriteReached(by: ReachedValue, rewrite: Rewrite): ReachedValue {
  let from = rewrite
  const steps = by.steps.map((step) => {
    const at = from
    from = rewrite.of(step.table)
    return rewriteStep(step, at, from)
  })
  return { ...by, steps, column: renamed(from, by.column) }
}

function rewriteStep({ field, table, column, unless, only }: Step, from: Rewrite, to: Rewrite): Step {
  const given = only && { column: renamed(to, only.column), value: storedValue(to, only.column, only.value) }
  const met = to.only ?? given
  return {
    field: renamed(from, field),
    table,
    column: renamed(to, column),
    ...(unless !== undefined && { unless: renamed(to, unless) }),
    ...(met && { only: met })
  }
}

function renamed(rewrite: Rewrite, name: string): string {
  return rewrite.column?.(name) ?? name
}

function storedValue<Value>(rewrite: Rewrite, column: string, value: Value): Value {
  return rewrite.value === undefined ? value : rewrite.value(column, value)
}
