/** Orders as SQL: their shape, their text, and the parameters in the order in which the text takes them. */
import { type RawBuilder, sql } from 'kysely'
import type { CountedValue, Order, SortKey } from 'svc-stores/table'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { ConditionSql } from './condition-sql.ts'
import { RANK } from './ranked-sql.ts'
import { presentSql, reachedColumn, reachedShape } from './reached-sql.ts'

type Sql = RawBuilder<unknown>

const COUNTED = 'counted'

export class OrderSql {
  readonly #table: string
  readonly #conditions: ConditionSql
  readonly #engine: SqlEngine

  constructor(table: string, conditions: ConditionSql, engine: SqlEngine) {
    this.#table = table
    this.#conditions = conditions
    this.#engine = engine
  }

  shape(order: Order): string {
    return order.map((key) => `${key.field} ${key.direction}${valueShape(key)}`).join()
  }

  /** @param table the rows under another name than that of their table */
  sql(order: Order, table = this.#table): Sql {
    return sql` order by ${sql.join(order.flatMap((key) => this.#keySql(key, order, table)))}`
  }

  parameters(order: Order): unknown[] {
    return order.flatMap(({ by }) => {
      if (by?.kind === 'path') return this.#engine.encodePathOrder(by.path)
      return by?.kind === 'counted' && by.only !== undefined ? [by.only.value] : []
    })
  }

  #keySql({ field, direction, by }: SortKey, order: Order, table: string): readonly Sql[] {
    const nulls = sql.raw(this.#engine.nullsLowest[direction === 'ASC' ? 'asc' : 'desc'])
    switch (by?.kind) {
      case 'reached':
        return [sql`${reachedColumn(order, by)} ${nulls}`]
      case 'counted':
        return [sql`${countSql(by, table)} ${sql.raw(direction)}`]
      case 'ranked':
        return [sql`${sql.ref(RANK)} ${sql.raw(direction)}`]
      case 'path':
        return this.#engine.pathOrder(sql.ref(`${table}.${by.column}`)).map((value) => sql`${value} ${nulls}`)
      default: {
        // By its bare name a column would be what is selected.
        const column = sql.ref(`${table}.${field}`)
        return [sql`${column} ${this.#conditions.column(field).nullable ? nulls : sql.raw(direction)}`]
      }
    }
  }
}

function countSql(counted: CountedValue, table: string): Sql {
  const { field, table: other, column } = counted
  const isSame = sql`${sql.ref(`${COUNTED}.${column}`)} = ${sql.ref(`${table}.${field}`)}`
  return sql`(select count(*) from ${sql.table(other.name)} as ${sql.ref(COUNTED)} where ${isSame}${presentSql(counted, COUNTED)})`
}

function valueShape({ by }: SortKey): string {
  switch (by?.kind) {
    case 'reached':
      return ` of ${reachedShape(by)}`
    case 'counted':
      return ` count of ${by.field} ${by.table.name}.${by.column} ${by.unless} ${by.only?.column}`
    case 'path':
      return ` at ${by.column}`
    case 'ranked':
      return ` rank of ${by.columns.map(({ column, weight }) => `${column} ${weight}`).join()}`
    default:
      return ''
  }
}
