/**
 * Conditions on lists as SQL: a value among several, and rows by the items of a list, which an item table finds where
 * the plan has one. See `ConditionSql` for the three views.
 *
 * What writes looks into the list as well: PostgreSQL looks at a row again that another one has changed meanwhile, and
 * at no other table. A list without an item is found by itself.
 */

import { type RawBuilder, sql } from 'kysely'
import {
  type ColumnCondition,
  type ItemCondition,
  type ItemIndexPlan,
  keyOf,
  type ListCondition,
  type TablePlan
} from 'svc-stores/table'
import { encoded } from '../engines/column-type.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { TableColumn } from './table-columns.ts'

type Sql = RawBuilder<unknown>

/** So many rows are looked up one by one, also in a table that is read whole in a few milliseconds. */
const FEW = 200

export class ListConditionSql {
  readonly #table: string
  readonly #key: string
  /** The key is one column. */
  readonly #isAlone: boolean
  readonly #engine: SqlEngine
  readonly #columnOf: (name: string) => TableColumn
  readonly #itemIndexes: ReadonlyMap<string, ItemIndexPlan>
  readonly #writes: boolean

  /** @param writes for statements that change or lock what they find */
  constructor(plan: TablePlan, engine: SqlEngine, writes: boolean, columnOf: (name: string) => TableColumn) {
    this.#writes = writes
    const [key, ...others] = keyOf(plan) as readonly [string, ...string[]]
    this.#table = plan.name
    this.#key = key
    this.#isAlone = others.length === 0
    this.#engine = engine
    this.#columnOf = columnOf
    this.#itemIndexes = new Map((plan.itemIndexes ?? []).map((index) => [index.column, index]))
  }

  /** No two rows hold such an item. */
  isSingle(condition: ItemCondition): boolean {
    const index = this.#isIndexed(condition) ? this.#itemIndexes.get(condition.field) : undefined
    return index?.unique === true && index.fields?.length === Object.keys(condition.item).length
  }

  shape(condition: ListCondition | ItemCondition): string {
    if ('item' in condition) {
      return `${this.#isIndexed(condition) ? 'indexed' : 'within'} ${JSON.stringify(Object.keys(condition.item))}`
    }
    const count = condition.values.length === 1 ? 'one' : this.parameters(condition).length
    return `${this.#isFew(condition) ? 'few' : count} ${condition.orNull}`
  }

  /** Null counts as no value, in the list as in the column: it is asked for by name. @param key the row's own */
  sql(condition: ListCondition | ItemCondition, column: Sql, key: (name: string) => Sql): Sql {
    const matches = this.#matchSql(condition, column, key(this.#key))
    if ('item' in condition) {
      return condition.operator === 'holds' ? matches : sql`(${column} is null or not ${matches})`
    }
    const { operator, orNull } = condition
    if (operator === 'in' || operator === 'has') return orNull ? sql`(${column} is null or ${matches})` : matches
    return orNull ? sql`(${column} is not null and not ${matches})` : sql`(${column} is null or not ${matches})`
  }

  parameters(condition: ListCondition | ItemCondition): readonly unknown[] {
    const indexed = this.#isIndexed(condition)
    const own = indexed && !this.#writes ? [] : this.#ownParameters(condition)
    if (!indexed) return own
    return [...('item' in condition ? Object.values(condition.item) : this.#oneOfParameters(condition)), ...own]
  }

  #matchSql(condition: ListCondition | ItemCondition, column: Sql, key: Sql): Sql {
    const own = this.#ownSql(condition, column)
    const index = this.#isIndexed(condition) ? this.#itemIndexes.get(condition.field) : undefined
    if (index === undefined) return own
    const { table, owner } = index
    const found = sql`${key} in (select ${sql.ref(owner)} from ${sql.table(table)} where ${this.#itemSql(condition, index)})`
    return this.#writes ? sql`${found} and ${own}` : found
  }

  /** Of the row by itself. */
  #ownSql(condition: ListCondition | ItemCondition, column: Sql): Sql {
    if ('item' in condition) return this.#engine.holdsItem(column, Object.keys(condition.item))
    if (isMembership(condition)) {
      return this.#engine.holdsOneOf(column, this.#columnOf(condition.field).item, sql.val(null))
    }
    return this.#oneOfSql(condition, column)
  }

  #ownParameters(condition: ListCondition | ItemCondition): readonly unknown[] {
    if ('item' in condition) return this.#engine.encodeItem(condition.item)
    const { field, values } = condition
    if (isMembership(condition)) return [this.#engine.encodeItems(this.#columnOf(field).item, values)]
    return this.#oneOfParameters(condition)
  }

  /** Of a row of the item table. */
  #itemSql(condition: ListCondition | ItemCondition, { fields = [], columns }: ItemIndexPlan): Sql {
    if (!('item' in condition)) return this.#oneOfSql(condition, sql.ref(columns[0] as string))
    const names = Object.keys(condition.item)
    const tests = names.map((name) => sql`${sql.ref(columns[fields.indexOf(name)] as string)} = ${sql.val(null)}`)
    return sql.join(tests, sql` and `)
  }

  #oneOfSql(condition: ListCondition, column: Sql): Sql {
    // By itself it is compared like any other value, and planned like one.
    if (condition.values.length === 1) return sql`${column} = ${sql.val(null)}`
    const { fewOf } = this.#engine
    if (fewOf !== undefined && this.#isFew(condition)) return fewOf(column, this.#table, this.#key, sql.val(null))
    const places = this.#oneOfParameters(condition).map(() => sql.val(null))
    return this.#engine.oneOf(column, this.#columnOf(condition.field).item, places)
  }

  #isFew({ field, operator, values }: ListCondition): boolean {
    if (this.#engine.fewOf === undefined || operator !== 'in' || !this.#isAlone) return false
    return field === this.#key && values.length > 1 && values.length <= FEW
  }

  #oneOfParameters({ field, values }: ListCondition): readonly unknown[] {
    const { item } = this.#columnOf(field)
    return values.length === 1
      ? [encoded(this.#engine.columnTypes[item], values[0])]
      : this.#engine.encodeList(item, values)
  }

  /** An item table has all that is asked for. */
  #isIndexed(condition: ListCondition | ItemCondition): boolean {
    const index = this.#itemIndexes.get(condition.field)
    if (index === undefined) return false
    if (condition.operator === 'has') return true
    if (condition.operator !== 'holds') return false
    const asked = Object.entries(condition.item)
    const isCovered = ([name, value]: [string, unknown]) =>
      index.fields?.includes(name) === true && typeof value === 'string'
    return asked.length > 0 && asked.every(isCovered)
  }
}

function isMembership({ operator }: ListCondition): boolean {
  return operator === 'has' || operator === 'hasnt'
}

/** A value among several, or an item of a list. */
export function isOfLists(condition: ColumnCondition): condition is ListCondition | ItemCondition {
  return 'values' in condition || 'item' in condition
}
