/** Conditions on rows of other tables, as SQL: such a row is there, or what such rows come to. See `ConditionSql` for the three views. */
import { type RawBuilder, sql } from 'kysely'
import type {
  MeasuredCondition,
  RelatedCondition,
  RelatedRows,
  SubqueryCondition,
  TablePlan,
  TreeCondition
} from 'svc-stores/table'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { OtherTable } from './other-table.ts'
import { TreeSql } from './tree-sql.ts'

type Sql = RawBuilder<unknown>

const RELATED = 'related '
const SIGNS = { eq: sql`=`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }

export class RelatedSql {
  readonly #engine: SqlEngine
  readonly #otherOf: (plan: TablePlan) => OtherTable
  readonly #trees: TreeSql

  constructor(engine: SqlEngine, otherOf: (plan: TablePlan) => OtherTable) {
    this.#engine = engine
    this.#otherOf = otherOf
    this.#trees = new TreeSql(engine, otherOf)
  }

  shape(condition: SubqueryCondition): string {
    if (condition.operator === 'tree') return this.#trees.shape(condition)
    const { field, table, column, of, first } = condition
    const other = this.#otherOf(table)
    const looked =
      first === undefined
        ? ''
        : ` first ${first.order.map((key) => `${key.field} ${key.direction}`).join()}(${other.shape(first.of)})`
    const rows = `${field} in ${table.name}.${other.column(column).name}${looked}(${other.shape(of)})`
    if (condition.operator === 'related') return rows
    const against = 'other' in condition ? `of ${condition.other}` : ''
    return `${Object.values(condition.measure).join(' ')} ${condition.comparison} ${against} ${rows}`
  }

  /** @param own the name of the table that the row is found in */
  exists(rows: RelatedCondition, own: string): Sql {
    if (rows.first !== undefined) return this.#amongFirst(rows, own)
    return this.#engine.related(this.#rows(rows, own))
  }

  /** A planner finds rows that have no other by a join of its own, where that is the whole of what is negated. */
  lacks(rows: RelatedCondition, own: string): Sql {
    if (rows.first !== undefined) return sql`not ${this.#amongFirst(rows, own)}`
    return this.#engine.unrelated(this.#rows(rows, own))
  }

  measured(condition: MeasuredCondition, own: string): Sql {
    const measured = this.#measured(condition, own)
    if (condition.comparison === 'held') return sql`${measured} is not null`
    const against = 'other' in condition ? sql.ref(`${own}.${condition.other}`) : sql.val(null)
    return sql`${measured} ${SIGNS[condition.comparison]} ${against}`
  }

  walked(tree: TreeCondition, own: Sql): Sql {
    return this.#trees.sql(tree, own)
  }

  parameters(condition: SubqueryCondition): unknown[] {
    if (condition.operator === 'tree') return this.#trees.parameters(condition)
    const { table, of, first } = condition
    const other = this.#otherOf(table)
    const looked = first === undefined ? [] : [...other.parameters(first.of), first.limit]
    const value = condition.operator === 'measured' && 'value' in condition ? [this.#encoded(condition)] : []
    return [...looked, ...other.parameters(of), ...value]
  }

  #encoded({ measure, table, value }: MeasuredCondition & { readonly value: unknown }): unknown {
    const isHeld = measure.of === 'min' || measure.of === 'max'
    return isHeld ? this.#otherOf(table).column(measure.column).encode(value) : value
  }

  counted(rows: RelatedRows, own: string): Sql {
    return sql`(select count(*) ${this.#source(rows, own, relatedAlias(own))})`
  }

  #measured({ measure, ...rows }: MeasuredCondition, own: string): Sql {
    if (measure.of === 'count') return this.counted(rows, own)
    const alias = relatedAlias(own)
    const from = this.#source(rows, own, alias)
    const column = sql.ref(`${alias}.${measure.column}`)
    const isWide = this.#otherOf(rows.table).column(measure.column).type === 'bigint'
    switch (measure.of) {
      case 'sum':
        // As groups add them: integers as numbers of JavaScript.
        return sql`(select coalesce(sum(${isWide ? column : asNumber(column)}), 0) ${from})`
      case 'avg':
        return sql`(select avg(${asNumber(column)}) ${from})`
      case 'min':
        return sql`(select min(${column}) ${from})`
      case 'max':
        return sql`(select max(${column}) ${from})`
    }
  }

  #amongFirst(rows: RelatedRows, own: string): Sql {
    return sql`exists (select 1 ${this.#source(rows, own, relatedAlias(own))})`
  }

  /** From the rows that belong, all or the first of them, those that meet what is asked. */
  #source({ field, table, column, of, first }: RelatedRows, own: string, alias: string): Sql {
    const other = this.#otherOf(table)
    const rows = sql`${sql.table(table.name)} as ${sql.ref(alias)}`
    const isOwn = sql`${sql.ref(`${alias}.${column}`)} = ${sql.ref(`${own}.${field}`)}`
    if (first === undefined) {
      return sql`from ${rows} where ${isOwn}${of.length === 0 ? sql`` : sql` and ${other.allOf(of, alias)}`}`
    }
    const among = first.of.length === 0 ? sql`` : sql` and ${other.allOf(first.of, alias)}`
    const looked = sql`select ${sql.ref(alias)}.* from ${rows} where ${isOwn}${among}${other.ordered(first.order, alias)}`
    return sql`from (${looked} limit ${this.#engine.rowCount}) as ${sql.ref(alias)} where ${other.allOf(of, alias)}`
  }

  #rows({ field, table, column, of }: RelatedRows, own: string) {
    const alias = relatedAlias(own)
    return {
      own: sql.ref(`${own}.${field}`),
      other: sql.ref(`${alias}.${column}`),
      rows: sql`${sql.table(table.name)} as ${sql.ref(alias)}`,
      meet: of.length === 0 ? null : this.#otherOf(table).allOf(of, alias)
    }
  }
}

function asNumber(column: Sql): Sql {
  return sql`cast(${column} as double precision)`
}

/** One that no table has: of the rows that others are asked for, by how deep they are asked for. */
function relatedAlias(own: string): string {
  const depth = own.startsWith(RELATED) ? Number(own.slice(RELATED.length)) : 0
  return `${RELATED}${depth + 1}`
}
