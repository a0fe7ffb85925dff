/**
 * Walks through trees as SQL: a recursive query of keys. Its rows are distinct, so that a circle ends it. See `ConditionSql`
 * for the three views.
 */
import { type RawBuilder, sql } from 'kysely'
import { type TablePlan, type TreeCondition, treeStep } from 'svc-stores/table'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { OtherTable } from './other-table.ts'

type Sql = RawBuilder<unknown>

/** A row of the table. The walk has the key of each row, and what leads to the next level. */
const ROW = 'row of walk'

export class TreeSql {
  readonly #engine: Pick<SqlEngine, 'answeredBy'>
  readonly #otherOf: (plan: TablePlan) => OtherTable

  constructor(engine: Pick<SqlEngine, 'answeredBy'>, otherOf: (plan: TablePlan) => OtherTable) {
    this.#engine = engine
    this.#otherOf = otherOf
  }

  shape({ field, table, key, parent, direction, from, of, levels }: TreeCondition): string {
    const other = this.#otherOf(table)
    const walk = `${table.name}.${other.column(key).name} by ${other.column(parent).name}`
    const bound = levels === undefined ? '' : ' bounded'
    return `${field} ${direction} ${walk}${bound}(${other.shape(from)})(${other.shape(of)})`
  }

  sql(condition: TreeCondition, own: Sql): Sql {
    const { table, key, from, of, levels } = condition
    const other = this.#otherOf(table)
    const step = treeStep(condition)
    const rows = sql`${sql.table(table.name)} as ${sql.ref(ROW)}`
    const [found, isBounded] = [sql.ref(`${ROW}.${key}`), levels !== undefined]
    // Down a tree, the key of a row leads on.
    const leads = step.from === key ? [] : [sql.ref(`${ROW}.${step.from}`)]
    const columns = ['found', ...(leads.length > 0 ? ['leads'] : []), ...(isBounded ? ['level'] : [])]
    const read = (level: Sql) => sql.join([found, ...leads, ...(isBounded ? [level] : [])])
    const first = sql`select ${read(sql`0`)} from ${rows} where ${other.allOf([...from, ...of], ROW)}`
    const isNext = sql`${sql.ref(`${ROW}.${step.to}`)} = walk.${sql.ref(leads.length > 0 ? 'leads' : 'found')}`
    const crossed = other.allOf(of, ROW)
    const below = isBounded ? sql`walk.level < ${sql.val(1)} and ${crossed}` : crossed
    const next = sql`select ${read(sql`walk.level + 1`)} from walk join ${rows} on ${isNext} where ${below}`
    // From one row, and so many levels only, no row comes twice on a level.
    const union = isBounded && other.isSingle(from) ? sql`union all` : sql`union`
    const names = sql.join(columns.map((name) => sql.ref(name)))
    // It is read once, row by row: SQLite would write all of them down first.
    const walk = sql`walk(${names}) as not materialized (${first} ${union} ${next})`
    return this.#engine.answeredBy(own, sql`with recursive ${walk} select found from walk`)
  }

  parameters({ table, from, of, levels }: TreeCondition): unknown[] {
    const other = this.#otherOf(table)
    const bound = levels === undefined ? [] : [levels]
    return [...other.parameters(from), ...other.parameters(of), ...bound, ...other.parameters(of)]
  }
}
