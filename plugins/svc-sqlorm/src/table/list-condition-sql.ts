/**
 * Conditions on lists as SQL: a value among several, and rows by the items of a list, which an item table finds where
 * the plan has one. See `ConditionSql` for the three views.
 */
import { type RawBuilder, sql } from 'kysely'
import { type ItemCondition, type ItemIndexPlan, keyOf, type ListCondition, type TablePlan } from 'svc-stores/table'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { TableColumn } from './table-columns.ts'

type Sql = RawBuilder<unknown>

export class ListConditionSql {
  readonly #key: string
  readonly #engine: SqlEngine
  readonly #columnOf: (name: string) => TableColumn
  readonly #itemIndexes: ReadonlyMap<string, ItemIndexPlan>

  constructor(plan: TablePlan, engine: SqlEngine, columnOf: (name: string) => TableColumn) {
    this.#key = keyOf(plan)[0] as string
    this.#engine = engine
    this.#columnOf = columnOf
    this.#itemIndexes = new Map((plan.itemIndexes ?? []).map((index) => [index.column, index]))
  }

  /** No two rows hold such an item. */
  isSingle(condition: ItemCondition): boolean {
    const index = this.#indexOf(condition)
    return index?.unique === true && index.fields?.length === Object.keys(condition.item).length
  }

  shape(condition: ListCondition | ItemCondition): string {
    if ('item' in condition) {
      const found = this.#indexOf(condition) === null ? 'within' : 'indexed'
      return `${found} ${JSON.stringify(Object.keys(condition.item))}`
    }
    return `${condition.values.length === 1 ? 'one' : this.#valuesOf(condition).length} ${condition.orNull}`
  }

  /** Null counts as no value, in the list as in the column: it is asked for by name. @param key the row's own */
  sql(condition: ListCondition | ItemCondition, column: Sql, key: (name: string) => Sql): Sql {
    if ('item' in condition) {
      const matches = this.#itemSql(condition, column, key(this.#key))
      return condition.operator === 'holds' ? matches : sql`(${column} is null or not ${matches})`
    }
    const { operator, orNull } = condition
    const matches = this.#matchSql(condition, column, key(this.#key))
    if (operator === 'in' || operator === 'has') return orNull ? sql`(${column} is null or ${matches})` : matches
    return orNull ? sql`(${column} is not null and not ${matches})` : sql`(${column} is null or not ${matches})`
  }

  parameters(condition: ListCondition | ItemCondition): readonly unknown[] {
    if (!('item' in condition)) return this.#valuesOf(condition)
    return this.#indexOf(condition) === null ? this.#engine.encodeItem(condition.item) : Object.values(condition.item)
  }

  #matchSql(condition: ListCondition, column: Sql, key: Sql): Sql {
    const { field, operator } = condition
    const { item } = this.#columnOf(field)
    if (operator === 'in' || operator === 'nin') return this.#oneOf(column, condition)
    const index = this.#itemIndexes.get(field)
    if (index === undefined) return this.#engine.holdsOneOf(column, item, sql.val(null))
    return owning(key, index, this.#oneOf(sql.ref(index.columns[0] as string), condition))
  }

  #oneOf(column: Sql, condition: ListCondition): Sql {
    const places = this.#valuesOf(condition).map(() => sql.val(null))
    // By itself it is compared like any other value, and planned like one.
    if (condition.values.length === 1) return sql`${column} = ${places[0]}`
    return this.#engine.oneOf(column, this.#columnOf(condition.field).item, places)
  }

  #valuesOf({ field, operator, values }: ListCondition): readonly unknown[] {
    const { item } = this.#columnOf(field)
    const isMembership = operator === 'has' || operator === 'hasnt'
    if (isMembership && !this.#itemIndexes.has(field)) return [this.#engine.encodeItems(item, values)]
    return values.length === 1 ? [this.#engine.encode(item, values[0])] : this.#engine.encodeList(item, values)
  }

  #itemSql(condition: ItemCondition, column: Sql, key: Sql): Sql {
    const names = Object.keys(condition.item)
    const index = this.#indexOf(condition)
    if (index === null) return this.#engine.holdsItem(column, names)
    const { fields = [], columns } = index
    const tests = names.map((name) => sql`${sql.ref(columns[fields.indexOf(name)] as string)} = ${sql.val(null)}`)
    return owning(key, index, sql.join(tests, sql` and `))
  }

  /** The index that an item is found by; `null` where it does not hold all that is asked for. */
  #indexOf({ field, item }: ItemCondition): ItemIndexPlan | null {
    const index = this.#itemIndexes.get(field)
    const asked = Object.entries(item)
    const isCovered = asked.every(
      ([name, value]) => index?.fields?.includes(name) === true && typeof value === 'string'
    )
    return index !== undefined && isCovered && asked.length > 0 ? index : null
  }
}

/** The row owns one of these items. */
function owning(key: Sql, { table, owner }: ItemIndexPlan, test: Sql): Sql {
  return sql`${key} in (select ${sql.ref(owner)} from ${sql.table(table)} where ${test})`
}
