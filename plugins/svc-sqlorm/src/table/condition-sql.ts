/**
 * Conditions as SQL. Three views of the same condition, which belong together: its shape (conditions of one shape share
 * a statement), its text, and the parameters in the order in which the text takes them. Names come from the plan, values
 * go as parameters: no text of a caller becomes SQL.
 */
import { type RawBuilder, sql } from 'kysely'
import { InvalidCriteria } from 'svc-orm/errors'
import {
  type Condition,
  type NotCondition,
  type Order,
  type ReachedValue,
  type RelatedCondition,
  recordOf,
  type SortKey,
  type Step,
  type TablePlan
} from 'svc-stores/table'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { RequiredColumnMissing } from '../errors.ts'
import { afterParameters, afterSql } from './after-sql.ts'
import { MOST_PARAMETERS } from './compiled-statements.ts'
import { IndexedComparisons } from './indexed-comparisons.ts'
import { joined } from './joined-conditions.ts'
import { isOfLists, ListConditionSql } from './list-condition-sql.ts'
import { pathParameters, pathShape, pathSql } from './path-sql.ts'
import { wordIndex } from './ranked-sql.ts'
import { reachedColumn, reachedShape } from './reached-sql.ts'
import { RelatedSql } from './related-sql.ts'
import { SingleRow } from './single-row.ts'
import type { TableColumn } from './table-columns.ts'

type Sql = RawBuilder<unknown>

const COMPARISONS = { eq: sql`=`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }
/** SQLite takes a time for them that grows with their square: a second or two for so many. */
const MOST_CONDITIONS = 10_000
const PATTERN_SYNTAX = /[\\%_]/g

export class ConditionSql {
  readonly #plan: TablePlan
  readonly #engine: SqlEngine
  readonly #columns: ReadonlyMap<string, TableColumn>
  readonly #lists: ListConditionSql
  readonly #related: RelatedSql
  readonly #otherOf: (plan: TablePlan) => ConditionSql
  readonly #indexed: IndexedComparisons
  readonly #single: SingleRow

  /** @param columns those that the table has @param writes for statements that change or lock what they find */
  constructor(
    plan: TablePlan,
    columns: readonly TableColumn[],
    engine: SqlEngine,
    writes: boolean,
    otherOf: (plan: TablePlan) => ConditionSql
  ) {
    this.#otherOf = otherOf
    this.#plan = plan
    this.#engine = engine
    this.#columns = new Map(columns.map((column) => [column.name, column]))
    this.#related = new RelatedSql(engine, otherOf)
    this.#lists = new ListConditionSql(plan, engine, writes, (name) => this.column(name))
    this.#indexed = new IndexedComparisons(plan, engine)
    this.#single = new SingleRow(plan)
  }

  /** @throws RequiredColumnMissing where the table has it not, TypeError where the plan has it not */
  column(name: string): TableColumn {
    const column = this.#columns.get(name)
    if (column !== undefined) return column
    const { name: table, columns } = this.#plan
    if (columns.some((each) => each.name === name)) throw new RequiredColumnMissing(`${table}.${name}`)
    throw new TypeError(`table ${table} has no column ${name}`)
  }

  /** The column that references lead to. */
  reached({ steps, column }: ReachedValue): TableColumn {
    return this.#otherOf((steps.at(-1) as Step).table).column(column)
  }

  /** No two rows can match. */
  isSingle(conditions: readonly Condition[]): boolean {
    return (
      this.#single.isNamedBy(conditions) ||
      conditions.some((condition) => condition.operator === 'holds' && this.#lists.isSingle(condition))
    )
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

  /** How many such rows belong to a row of the table that has this name. */
  counted(rows: RelatedCondition, own: string): Sql {
    return this.#related.counted(rows, own)
  }

  ordered(order: Order, table: string): Sql {
    const keys = order.map(({ field, direction }) => {
      const nulls = this.#engine.nullsLowest[direction === 'ASC' ? 'asc' : 'desc']
      return sql`${reference(field, table)} ${sql.raw(this.column(field).nullable ? nulls : direction)}`
    })
    return sql` order by ${sql.join(keys)}`
  }

  /** Every one of them. */
  allOf(conditions: readonly Condition[], table?: string): Sql {
    if (conditions.length === 0) return sql`1 = 1`
    return joined(
      conditions.map((condition) => this.#sqlOf(condition, table)),
      sql` and `
    )
  }

  /** @throws InvalidCriteria for more than a statement takes */
  parameters(conditions: readonly Condition[]): unknown[] {
    const parameters: unknown[] = []
    for (const condition of conditions) this.#bind(condition, parameters)
    if (parameters.length > MOST_CONDITIONS) this.#assertBounded(conditions, parameters)
    return parameters
  }

  #assertBounded(conditions: readonly Condition[], parameters: readonly unknown[]): void {
    if (parameters.length <= MOST_PARAMETERS && numberOf(conditions) <= MOST_CONDITIONS) return
    const expected = `at most ${MOST_CONDITIONS} criteria of fields; a list ($in) is one`
    throw new InvalidCriteria(recordOf(this.#plan), expected)
  }

  #shapeOf(condition: Condition): string {
    switch (condition.operator) {
      case 'any':
        return `any(${condition.of.map((set) => `(${this.shape(set)})`).join('|')})`
      case 'not':
        return `not(${this.shape(condition.of)})`
      case 'related':
      case 'measured':
      case 'tree':
        this.column(condition.field)
        return this.#related.shape(condition)
      case 'search':
        for (const name of condition.columns) this.column(name)
        return `search ${condition.columns.join()}`
      case 'after':
        return `after ${condition.order.map((key) => `${this.#placeShape(key)} ${key.direction}`).join()}`
    }
    const { field, operator } = condition
    this.column(field)
    if (operator === 'null') return `${field} ${condition.value ? 'null' : 'held'}`
    if (operator === 'path') return `${field} ${pathShape(condition)}`
    if (operator === 'fields') return `${field} ${condition.comparison} ${this.column(condition.other).name}`
    const said = this.#indexed.of(condition)
    if (said !== null) return `${field} ${said}`
    return isOfLists(condition) ? `${field} ${operator} ${this.#lists.shape(condition)}` : `${field} ${operator}`
  }

  #sqlOf(condition: Condition, table?: string): Sql {
    switch (condition.operator) {
      case 'any':
        return this.#anyOf(condition.of, table)
      case 'not':
        return this.#notSql(condition, table)
      case 'related':
        return this.#related.exists(condition, table ?? this.#plan.name)
      case 'measured':
        return this.#related.measured(condition, table ?? this.#plan.name)
      case 'search':
        return this.#engine.words.matches(wordIndex(this.#plan.name, condition.columns), table)
      case 'tree':
        return this.#related.walked(condition, reference(condition.field, table))
      case 'after':
        return afterSql(condition, ({ field, by }) => {
          return by?.kind === 'reached' ? reachedColumn(condition.order, by) : reference(field, table)
        })
    }
    const column = reference(condition.field, table)
    if (isOfLists(condition)) return this.#lists.sql(condition, column, (name) => reference(name, table))
    switch (condition.operator) {
      case 'null':
        return condition.value ? sql`${column} is null` : sql`${column} is not null`
      case 'path':
        return pathSql(condition, column, this.#engine)
      case 'fields':
        return sql`${column} ${COMPARISONS[condition.comparison]} ${reference(condition.other, table)}`
      case 'ne':
        return this.#engine.distinct(column, sql.val(condition.value))
      case 'like':
        return this.#engine.like(column, sql.val(condition.pattern))
      case 'contains':
      case 'starts':
        return this.#engine.like(this.#folded(condition.field, table), sql.val(condition.text))
      default: {
        const said = this.#indexed.of(condition)
        return said === null
          ? sql`${column} ${COMPARISONS[condition.operator]} ${sql.val(condition.value)}`
          : sql`${column} ${sql.raw(said)}`
      }
    }
  }

  #bind(condition: Condition, parameters: unknown[]): void {
    const engine = this.#engine
    switch (condition.operator) {
      case 'any':
        for (const set of condition.of) for (const each of set) this.#bind(each, parameters)
        return
      case 'not':
        for (const each of condition.of) this.#bind(each, parameters)
        return
      case 'related':
      case 'measured':
      case 'tree':
        parameters.push(...this.#related.parameters(condition))
        return
      case 'after':
        parameters.push(...afterParameters(condition, (key, value) => this.#placed(key).encode(value)))
        return
      case 'search':
        parameters.push(engine.words.encode(condition.words))
        return
      case 'null':
      case 'fields':
        return
      case 'path':
        parameters.push(...pathParameters(condition, engine))
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
      default:
        if (isOfLists(condition)) parameters.push(...this.#lists.parameters(condition))
        else if (this.#indexed.of(condition) === null)
          parameters.push(this.column(condition.field).encode(condition.value))
    }
  }

  #placed({ field, by }: SortKey): TableColumn {
    return by?.kind === 'reached' ? this.reached(by) : this.column(field)
  }

  #placeShape({ field, by }: SortKey): string {
    return by?.kind === 'reached' ? reachedShape(by) : this.column(field).name
  }

  /** A planner finds rows that have no other by a join of its own, where that is the whole of what is negated. */
  #notSql({ of }: NotCondition, table?: string): Sql {
    const [only] = of
    if (of.length === 1 && only?.operator === 'related') return this.#related.lacks(only, table ?? this.#plan.name)
    // Also of what is neither, as a comparison with null.
    return sql`(${this.allOf(of, table)}) is not true`
  }

  #anyOf(sets: readonly (readonly Condition[])[], table?: string): Sql {
    if (sets.length === 0) return sql`1 = 0`
    return sql`(${joined(
      sets.map((set) => this.allOf(set, table)),
      sql` or `
    )})`
  }

  /** The copy of a column that is searched often; else it is folded as it is looked at. */
  #folded(name: string, table?: string): Sql {
    const { folded } = this.column(name)
    return folded === null ? this.#engine.folded(reference(name, table)) : reference(folded, table)
  }
}

function reference(name: string, table?: string): Sql {
  return sql.ref(table === undefined ? name : `${table}.${name}`)
}

function numberOf(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, condition) => {
    if (condition.operator === 'any') return condition.of.reduce((all, set) => all + numberOf(set), sum)
    return sum + (condition.operator === 'not' ? numberOf(condition.of) : 1)
  }, 0)
}

/** As a tree of few levels: SQLite takes none that is deeper than 1 000. */
