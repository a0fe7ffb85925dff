/**
 * Which reference a database meant when it refused a write. PostgreSQL names the foreign key; SQLite says only that there
 * is one, and has undone the statement by then: the rows are looked for.
 */
import { ReferencedRow, ReferenceMissing } from 'svc-stores'
import { type Condition, type ReferencePlan, recordOf, relationOf, type Table, type TablePlan } from 'svc-stores/table'
import type { FailedConstraint } from '../engines/failure.ts'
import { referenceName } from '../schema/table-definition.ts'

/** The tables of the database, in the transaction of the statement. */
export interface OtherTables {
  plans(): Iterable<TablePlan>
  table(plan: TablePlan): Table<object>
}

type Row = Readonly<Record<string, unknown>>

/** @param rows what was to be written */
export async function missingOwner(
  plan: TablePlan,
  failed: FailedConstraint | null,
  rows: readonly object[],
  others: OtherTables
): Promise<ReferenceMissing> {
  const named = failed === null ? null : referenceOf(plan, failed)
  const reference = named ?? (failed === null ? await unmet(plan, rows, others) : null)
  return new ReferenceMissing(recordOf(plan), reference?.column ?? failed?.columns[0] ?? 'a reference')
}

/** @param conditions of the rows that were to be deleted */
export async function remainingReferrer(
  plan: TablePlan,
  failed: FailedConstraint | null,
  conditions: readonly Condition[],
  others: OtherTables
): Promise<ReferencedRow> {
  if (failed === null) {
    const found = await referrerOf(plan, conditions, others, new Set())
    return new ReferencedRow(
      recordOf(found?.plan ?? plan),
      found === null ? 'a reference' : relationOf(found.reference)
    )
  }
  const referrer = [...others.plans()].find(({ name }) => name === failed.table)
  const reference = referrer === undefined ? null : referenceOf(referrer, failed)
  const entity = referrer === undefined ? (failed.table ?? recordOf(plan)) : recordOf(referrer)
  return new ReferencedRow(entity, reference === null ? 'a reference' : relationOf(reference))
}

/** At the commit, a row is there whose reference names none. */
export function missingAtCommit(failed: FailedConstraint | null, plans: Iterable<TablePlan>): ReferenceMissing {
  const plan = [...plans].find(({ name }) => name === failed?.table)
  if (plan === undefined || failed === null) return new ReferenceMissing(failed?.table ?? 'a row', 'a reference')
  return new ReferenceMissing(recordOf(plan), referenceOf(plan, failed)?.column ?? 'a reference')
}

/** By its name; one whose table or column was renamed keeps an older one, and is known by its column. */
function referenceOf({ name, references = [] }: TablePlan, failed: FailedConstraint): ReferencePlan | null {
  if (failed.table !== name) return null
  const byName = references.find((reference) => referenceName(name, reference) === failed.name)
  const byColumn = references.find(({ column }) => failed.columns.includes(column))
  return byName ?? byColumn ?? (references.length === 1 ? (references[0] as ReferencePlan) : null)
}

async function unmet(
  { name, references = [] }: TablePlan,
  rows: readonly object[],
  others: OtherTables
): Promise<ReferencePlan | null> {
  const plans = [...others.plans()]
  for (const reference of references) {
    const { column, table, key } = reference
    const own = new Set(table === name ? rows.map((row) => (row as Row)[key]) : [])
    const held = rows.map((row) => (row as Row)[column] ?? null).filter((value) => value !== null && !own.has(value))
    const values = [...new Set(held)] as string[]
    const target = plans.find((plan) => plan.name === table)
    if (values.length === 0 || target === undefined) continue
    const found = await others.table(target).count([{ field: key, operator: 'in', values, orNull: false }])
    if (found < values.length) return reference
  }
  // Each names a row: then it is one of another scope, and of a change the values alone do not tell in which reference.
  const tied = references.filter(({ column, within }) => {
    if (within === undefined) return false
    // A change of the scope alone leaves the reference behind.
    return (rows as readonly Row[]).some((row) => (column in row ? row[column] !== null : within in row))
  })
  for (const reference of tied) if (await crosses(reference, rows, plans, others)) return reference
  return tied[0] ?? null
}

async function crosses(
  { column, table, key, within = '' }: ReferencePlan,
  rows: readonly object[],
  plans: readonly TablePlan[],
  others: OtherTables
): Promise<boolean> {
  const target = plans.find((plan) => plan.name === table)
  if (target === undefined) return false
  const byScope = Map.groupBy(rows as readonly Row[], (row) => row[within])
  for (const [scope, named] of byScope) {
    const values = [...new Set(named.map((row) => row[column] ?? null))].filter((value) => value !== null) as string[]
    if (typeof scope !== 'string' || values.length === 0) continue
    const ofOthers: readonly Condition[] = [
      { field: key, operator: 'in', values, orNull: false },
      { field: within, operator: 'ne', value: scope }
    ]
    if (await others.table(target).exists(ofOthers)) return true
  }
  return false
}

interface Found {
  readonly plan: TablePlan
  readonly reference: ReferencePlan
}

/** Also one that stops a cascade of the database. @param seen plans that were looked at */
async function referrerOf(
  owner: TablePlan,
  conditions: readonly Condition[],
  others: OtherTables,
  seen: Set<TablePlan>
): Promise<Found | null> {
  if (seen.has(owner)) return null
  seen.add(owner)
  const referrers = [...others.plans()].flatMap((plan) =>
    (plan.references ?? []).filter(({ table }) => table === owner.name).map((reference) => ({ plan, reference }))
  )
  const belonging = ({ column: field, key: column }: ReferencePlan): Condition => ({
    operator: 'related',
    field,
    table: owner,
    column,
    of: conditions
  })
  for (const { plan, reference } of referrers) {
    if (reference.onDelete !== 'restrict') continue
    if (await others.table(plan).exists([belonging(reference)])) return { plan, reference }
  }
  for (const { plan, reference } of referrers) {
    if (reference.onDelete !== 'cascade') continue
    const found = await referrerOf(plan, [belonging(reference)], others, seen)
    if (found !== null) return found
  }
  return null
}
