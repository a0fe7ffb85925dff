/**
 * Conditions as SQL. Three views of the same condition, which belong together: its shape (conditions of one shape share
 * a statement), its text, and the parameters in the order in which the text takes them. Names come from the plan, values
 * go as parameters: no text of a caller becomes SQL.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  type AfterCondition,
  type Condition,
  type ItemCondition,
  type ItemIndexPlan,
  keyOf,
  type ListCondition,
  type TablePlan
} from 'svc-stores/table'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { RequiredColumnMissing } from '../errors.ts'
import type { TableColumn } from './table-columns.ts'

type Sql = RawBuilder<unknown>

const COMPARISONS = { eq: sql`=`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }
const AFTER = { ASC: sql`>`, DESC: sql`<` }
const PATTERN_SYNTAX = /[\\%_]/g

export class ConditionSql {
  readonly #plan: TablePlan
  readonly #engine: SqlEngine
  readonly #columns: ReadonlyMap<string, TableColumn>
  readonly #itemIndexes: ReadonlyMap<string, ItemIndexPlan>
  /** Columns whose value one row has at most. */
  readonly #unique: ReadonlySet<string>

  /** @param columns those that the table has */
  constructor(plan: TablePlan, columns: readonly TableColumn[], engine: SqlEngine) {
    const { indexes = [], itemIndexes = [] } = plan
    const single = [keyOf(plan), ...indexes.filter(({ unique }) => unique).map((index) => index.columns)]
    this.#plan = plan
    this.#engine = engine
    this.#columns = new Map(columns.map((column) => [column.name, column]))
    this.#itemIndexes = new Map(itemIndexes.map((index) => [index.column, index]))
    this.#unique = new Set(single.filter(({ length }) => length === 1).map(([column]) => [column].flat()[0] as string))
  }

  /** @throws RequiredColumnMissing where the table has it not, TypeError where the plan has it not */
  column(name: string): TableColumn {
    const column = this.#columns.get(name)
    if (column !== undefined) return column
    const { name: table, columns } = this.#plan
    if (columns.some((each) => each.name === name)) throw new RequiredColumnMissing(`${table}.${name}`)
    throw new TypeError(`table ${table} has no column ${name}`)
  }

  /** No two rows can match. */
  isSingle(conditions: readonly Condition[]): boolean {
    return conditions.some((condition) => {
      if (condition.operator === 'eq') return this.#unique.has(condition.field)
      if (condition.operator !== 'holds') return false
      const index = this.#itemIndexOf(condition)
      return index?.unique === true && index.fields?.length === Object.keys(condition.item).length
    })
  }

  /** Conditions of one shape differ in their values only. */
  shape(conditions: readonly Condition[]): string {
    let shape = ''
    for (const condition of conditions) shape += `;${this.#shapeOf(condition)}`
    return shape
  }

  /** @param table the columns carry its name, where another row is in scope */
  where(conditions: readonly Condition[], table?: string): Sql {
    return conditions.length === 0 ? sql`` : sql` where ${this.allOf(conditions, table)}`
  }

  /** Every one of them. */
  allOf(conditions: readonly Condition[], table?: string): Sql {
    if (conditions.length === 0) return sql`1 = 1`
    return sql.join(
      conditions.map((condition) => this.#sqlOf(condition, table)),
      sql` and `
    )
  }

  parameters(conditions: readonly Condition[]): unknown[] {
    const parameters: unknown[] = []
    for (const condition of conditions) this.#bind(condition, parameters)
    return parameters
  }

  #shapeOf(condition: Condition): string {
    switch (condition.operator) {
      case 'any':
        return `any(${condition.of.map((set) => this.shape(set)).join('|')})`
      case 'after':
        return `after ${condition.order.map(({ field, direction }) => `${this.column(field).name} ${direction}`).join()}`
    }
    this.column(condition.field)
    switch (condition.operator) {
      case 'null':
        return `${condition.field} ${condition.value ? 'null' : 'held'}`
      case 'holds':
      case 'lacks': {
        const found = this.#itemIndexOf(condition) === null ? 'within' : 'indexed'
        return `${condition.field} ${condition.operator} ${found} ${JSON.stringify(Object.keys(condition.item))}`
      }
      case 'in':
      case 'nin':
      case 'has':
      case 'hasnt': {
        const { values, orNull } = condition
        const count = values.length === 1 ? 'one' : this.#valuesOf(condition).length
        return `${condition.field} ${condition.operator} ${count} ${orNull}`
      }
      default:
        return `${condition.field} ${condition.operator}`
    }
  }

  #sqlOf(condition: Condition, table?: string): Sql {
    switch (condition.operator) {
      case 'any':
        return this.#anyOf(condition.of, table)
      case 'after':
        return afterSql(condition, (name) => reference(name, table))
    }
    const column = reference(condition.field, table)
    switch (condition.operator) {
      case 'null':
        return condition.value ? sql`${column} is null` : sql`${column} is not null`
      case 'ne':
        return this.#engine.distinct(column, sql.val(condition.value))
      case 'like':
        return this.#engine.like(column, sql.val(condition.pattern))
      case 'contains':
      case 'starts':
        return this.#engine.like(reference(this.#folded(condition.field), table), sql.val(condition.text))
      case 'in':
      case 'nin':
      case 'has':
      case 'hasnt':
        return this.#listSql(condition, column, table)
      case 'holds':
        return this.#itemSql(condition, column, table)
      case 'lacks':
        return sql`(${column} is null or not ${this.#itemSql(condition, column, table)})`
      default:
        return sql`${column} ${COMPARISONS[condition.operator]} ${sql.val(condition.value)}`
    }
  }

  #bind(condition: Condition, parameters: unknown[]): void {
    const engine = this.#engine
    switch (condition.operator) {
      case 'any':
        for (const set of condition.of) for (const each of set) this.#bind(each, parameters)
        return
      case 'after':
        this.#bindAfter(condition, parameters)
        return
      case 'null':
        return
      case 'like':
        parameters.push(engine.encodePattern(condition.pattern))
        return
      case 'contains':
      case 'starts': {
        const literal = condition.text.replace(PATTERN_SYNTAX, '\\$&')
        parameters.push(engine.encodePattern(condition.operator === 'contains' ? `%${literal}%` : `${literal}%`))
        return
      }
      case 'in':
      case 'nin':
      case 'has':
      case 'hasnt':
        parameters.push(...this.#valuesOf(condition))
        return
      case 'holds':
      case 'lacks': {
        const { item } = condition
        const isIndexed = this.#itemIndexOf(condition) !== null
        parameters.push(...(isIndexed ? Object.values(item) : engine.encodeItem(item)))
        return
      }
      default:
        parameters.push(this.column(condition.field).encode(condition.value))
    }
  }

  #anyOf(sets: readonly (readonly Condition[])[], table?: string): Sql {
    if (sets.length === 0) return sql`1 = 0`
    return sql`(${sql.join(
      sets.map((set) => this.allOf(set, table)),
      sql` or `
    )})`
  }

  /** Null counts as no value, in the list as in the column: it is asked for by name. */
  #listSql(condition: ListCondition, column: Sql, table?: string): Sql {
    const { operator, orNull } = condition
    const matches = this.#matchSql(condition, column, table)
    if (operator === 'in' || operator === 'has') return orNull ? sql`(${column} is null or ${matches})` : matches
    return orNull ? sql`(${column} is not null and not ${matches})` : sql`(${column} is null or not ${matches})`
  }

  #matchSql(condition: ListCondition, column: Sql, table?: string): Sql {
    const { field, operator } = condition
    const { item } = this.column(field)
    if (operator === 'in' || operator === 'nin') return this.#oneOf(column, condition)
    const index = this.#itemIndexes.get(field)
    if (index === undefined) return this.#engine.holdsOneOf(column, item, sql.val(null))
    return this.#among(index, this.#oneOf(sql.ref(index.columns[0] as string), condition), table)
  }

  #oneOf(column: Sql, condition: ListCondition): Sql {
    const places = this.#valuesOf(condition).map(() => sql.val(null))
    // By itself it is compared like any other value, and planned like one.
    if (condition.values.length === 1) return sql`${column} = ${places[0]}`
    return this.#engine.oneOf(column, this.column(condition.field).item, places)
  }

  #valuesOf({ field, operator, values }: ListCondition): readonly unknown[] {
    const { item } = this.column(field)
    const isMembership = operator === 'has' || operator === 'hasnt'
    if (isMembership && !this.#itemIndexes.has(field)) return [this.#engine.encodeItems(item, values)]
    return values.length === 1 ? [this.#engine.encode(item, values[0])] : this.#engine.encodeList(item, values)
  }

  #itemSql(condition: ItemCondition, column: Sql, table?: string): Sql {
    const names = Object.keys(condition.item)
    const index = this.#itemIndexOf(condition)
    if (index === null) return this.#engine.holdsItem(column, names)
    const { fields = [], columns } = index
    const tests = names.map((name) => sql`${sql.ref(columns[fields.indexOf(name)] as string)} = ${sql.val(null)}`)
    return this.#among(index, sql.join(tests, sql` and `), table)
  }

  /** The rows that own one of these items. */
  #among({ table: items, owner }: ItemIndexPlan, test: Sql, table?: string): Sql {
    const owners = sql`select ${sql.ref(owner)} from ${sql.table(items)} where ${test}`
    return sql`${reference(keyOf(this.#plan)[0] as string, table)} in (${owners})`
  }

  /** The index that the items are found by; `null` where it does not hold all that is asked for. */
  #itemIndexOf({ field, item }: ItemCondition): ItemIndexPlan | null {
    const index = this.#itemIndexes.get(field)
    const isCovered = Object.entries(item).every(
      ([name, value]) => index?.fields?.includes(name) === true && typeof value === 'string'
    )
    return index !== undefined && isCovered ? index : null
  }

  /** Once as part of a row; else twice, for the rows beyond it and for those that the next column decides on. */
  #bindAfter({ order, values }: AfterCondition, parameters: unknown[]): void {
    const encoded = order.map(({ field }, place) => this.column(field).encode(values[place]))
    order.forEach((_, place) => {
      parameters.push(encoded[place])
      if (!isUniform(order.slice(place))) parameters.push(encoded[place])
    })
  }

  #folded(name: string): string {
    const { folded } = this.column(name)
    if (folded === null) throw new TypeError(`${this.#plan.name}.${name} is not declared as searched`)
    return folded
  }
}

function reference(name: string, table?: string): Sql {
  return sql.ref(table === undefined ? name : `${table}.${name}`)
}

/** Compared as rows, which an index can follow, where every column has the same direction. */
function afterSql({ order }: AfterCondition, ref: (name: string) => Sql): Sql {
  const value = sql.val(null)
  const [first, ...rest] = order
  if (first === undefined) return sql`1 = 0`
  const beyond = AFTER[first.direction]
  if (rest.length === 0) return sql`${ref(first.field)} ${beyond} ${value}`
  if (isUniform(order)) {
    const columns = sql.join(order.map(({ field }) => ref(field)))
    return sql`(${columns}) ${beyond} (${sql.join(order.map(() => value))})`
  }
  const next = afterSql({ operator: 'after', order: rest, values: [] }, ref)
  return sql`(${ref(first.field)} ${beyond} ${value} or (${ref(first.field)} = ${value} and ${next}))`
}

function isUniform(order: AfterCondition['order']): boolean {
  return order.every(({ direction }) => direction === order[0]?.direction)
}
