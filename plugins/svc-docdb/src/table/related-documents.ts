/**
 * Conditions on other collections, answered before the query that has them: what belongs is found, and its values take the
 * place of the condition.
 */
import {
  among,
  type Comparison,
  type Condition,
  type ConditionValue,
  compareHeld,
  isMet,
  type MeasuredCondition,
  NOTHING,
  type RelatedCondition,
  type RelatedRows,
  relatedConditions,
  resolveRelated,
  rowMatcher,
  type SubqueryCondition,
  type Table,
  type TablePlan
} from 'svc-stores/table'
import { type AnyRow, bounded, MOST_RELATED, only } from './related-rows.ts'
import { reachedByWalk } from './tree-documents.ts'

type TableOf = (plan: TablePlan) => Table<object>

/** @param own the table of the conditions @throws TooManyRelated */
export async function resolvedConditions(
  conditions: readonly Condition[],
  own: Table<object>,
  tableOf: TableOf
): Promise<readonly Condition[]> {
  const related = relatedConditions(conditions)
  if (related.length === 0) return conditions
  const found = new Map<Condition, Condition>()
  for (const each of related) {
    found.set(each, await resolved(each, own, tableOf))
  }
  return resolveRelated(conditions, (each) => found.get(each) as Condition)
}

function resolved(condition: SubqueryCondition, own: Table<object>, tableOf: TableOf): Promise<Condition> {
  switch (condition.operator) {
    case 'related':
      return belonging(condition, tableOf)
    case 'measured':
      return measured(condition, own, tableOf)
    case 'tree':
      return reachedByWalk(condition, tableOf(condition.table))
  }
}

async function belonging(condition: RelatedCondition, tableOf: TableOf): Promise<Condition> {
  const { field, column } = condition
  return among(
    field,
    (await rowsOf(condition, [column], tableOf)).map((row) => row[column] ?? null)
  )
}

/** Those that belong and meet what is asked, of all or of the first. @param read columns @throws TooManyRelated */
async function rowsOf(rows: RelatedRows, read: readonly string[], tableOf: TableOf): Promise<readonly AnyRow[]> {
  const { table, column, of, first } = rows
  const other = tableOf(table)
  if (first === undefined)
    return bounded(table, await other.find(of, { ...only(table, read), limit: MOST_RELATED + 1 }))
  // Owners without such a row at all need not be looked at.
  const asked = [...of, ...first.of, held(column)]
  const owners = bounded(table, await other.group(asked, { by: [column], measures: {}, limit: MOST_RELATED + 1 }))
  const values = owners.map((owner) => owner[column] as ConditionValue)
  const { order, limit } = first
  const looked = await other.find(first.of, { order, each: { column, values, limit } })
  const meets = rowMatcher(await resolvedConditions(of, other, tableOf))
  return looked.filter(meets) as unknown as readonly AnyRow[]
}

async function measured(condition: MeasuredCondition, own: Table<object>, tableOf: TableOf): Promise<Condition> {
  const { field, measure, comparison } = condition
  const values = await measuresOf(condition, tableOf)
  const none = measure.of === 'count' || measure.of === 'sum' ? 0 : null
  const owners = [...values.keys()]
  if (comparison === 'held') return none === null ? among(field, owners) : EVERY
  if ('other' in condition) return comparedWithField(condition, comparison, values, none, own)
  const isMeasured = (value: ConditionValue | null) => value !== null && meets(comparison, value, condition.value)
  if (!isMeasured(none))
    return among(
      field,
      owners.filter((owner) => isMeasured(values.get(owner) ?? none))
    )
  const failing = owners.filter((owner) => !isMeasured(values.get(owner) ?? none))
  return { operator: 'not', of: [among(field, failing)] }
}

/** By what the related rows hold; without those of which nothing is measured. @throws TooManyRelated */
async function measuresOf(
  condition: MeasuredCondition,
  tableOf: TableOf
): Promise<ReadonlyMap<ConditionValue, ConditionValue>> {
  const { table, column, measure } = condition
  const other = tableOf(table)
  const among = await measuredRows(condition, tableOf)
  const grouping = { by: [column], measures: { [MEASURED]: measure }, limit: MOST_RELATED + 1 }
  const groups = bounded(table, await other.group(among, grouping))
  const held = groups.filter((group) => group[MEASURED] !== null)
  return new Map(held.map((group) => [group[column] as ConditionValue, group[MEASURED] as ConditionValue]))
}

async function measuredRows(condition: MeasuredCondition, tableOf: TableOf): Promise<readonly Condition[]> {
  const { table, column, of, first } = condition
  if (first === undefined) return [...of, held(column)]
  const [key = 'id'] = table.key ?? ['id']
  const rows = await rowsOf(condition, [key], tableOf)
  return [
    among(
      key,
      rows.map((row) => row[key] ?? null)
    ),
    held(column)
  ]
}

/** What a row holds is compared here: no server compares it with what was found in another collection. */
async function comparedWithField(
  { field, other, table }: MeasuredCondition & { readonly other: string },
  comparison: Comparison,
  values: ReadonlyMap<ConditionValue, ConditionValue>,
  none: number | null,
  own: Table<object>
): Promise<Condition> {
  const owners = among(field, [...values.keys()])
  const rows = bounded(table, await own.find([owners], { ...only(own.plan, [field, other]), limit: MOST_RELATED + 1 }))
  const passing = rows.filter((row) => {
    const [measure, against] = [values.get(row[field] as ConditionValue), row[other] ?? null]
    return measure !== undefined && against !== null && meets(comparison, measure, against)
  })
  const met = among(
    field,
    passing.map((row) => row[field] ?? null)
  )
  if (none === null) return met
  const isWide = own.plan.columns.find(({ name }) => name === other)?.type === 'bigint'
  const without: readonly Condition[] = [
    { operator: 'not', of: [owners] },
    { field: other, operator: TURNED[comparison], value: isWide ? 0n : 0 }
  ]
  return { operator: 'any', of: [[met], without] }
}

const TURNED = { eq: 'eq', gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte' } as const

/** Every row has a number of others, and a sum. */
const EVERY: Condition = { operator: 'not', of: [NOTHING] }

/** No column has this name. */
const MEASURED = 'measured rows'

function meets(comparison: Comparison, measure: ConditionValue, against: ConditionValue): boolean {
  // A sum of nothing, or an average, is a number beside integers of 64 bits.
  const isMixed = typeof measure !== typeof against && typeof measure !== 'object'
  const [one, two] = isMixed ? [Number(measure), Number(against)] : [measure, against]
  return isMet(comparison, compareHeld(one, two))
}

function held(field: string): Condition {
  return { field, operator: 'null', value: false }
}
