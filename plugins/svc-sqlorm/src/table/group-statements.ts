/** Groups of rows as statements. What is selected is numbered: names of measures are the caller's. */
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Condition, type Group, type Grouping, groupOrder, type Measure } from 'svc-stores/table'
import type { SqlEngine, StoredRecord } from '../engines/sql-engine.ts'
import type { CompiledStatements } from './compiled-statements.ts'
import type { ConditionSql } from './condition-sql.ts'
import { asText } from './table-columns.ts'

type Sql = RawBuilder<unknown>

export class GroupStatements {
  readonly #table: Sql
  readonly #conditions: ConditionSql
  readonly #compiled: CompiledStatements
  readonly #engine: SqlEngine

  constructor(table: Sql, conditions: ConditionSql, compiled: CompiledStatements, engine: SqlEngine) {
    this.#table = table
    this.#conditions = conditions
    this.#compiled = compiled
    this.#engine = engine
  }

  select(conditions: readonly Condition[], grouping: Grouping): CompiledQuery {
    const { by, limit } = grouping
    const measures = Object.values(grouping.measures)
    const names = namesOf(grouping)
    const order = groupOrder(grouping).map(({ field, direction }) => ({ place: names.indexOf(field), direction }))
    const shape = [by, measures.map((each) => Object.values(each).join(' ')), order.map((each) => Object.values(each))]
    const query = this.#compiled.get(
      `group ${JSON.stringify(shape)} ${limit === undefined} ${this.#conditions.shape(conditions)}`,
      () => {
        const columns = by.map((name) => sql.ref(this.#conditions.column(name).name))
        const selected = [...columns, ...measures.map((each) => this.#measured(each))]
        const wide = [...by.map((name) => this.#isWide(name)), ...measures.map((each) => this.#isWideMeasure(each))]
        const named = selected.map(
          (each, place) => sql`${wide[place] ? asText(each) : each} as ${sql.ref(`g${place}`)}`
        )
        const groups = columns.length === 0 ? sql`` : sql` group by ${sql.join(columns)}`
        const keys = order.map(({ place, direction }) => {
          return sql`${selected[place]} ${sql.raw(this.#engine.nullsLowest[direction === 'ASC' ? 'asc' : 'desc'])}`
        })
        const ordered = keys.length === 0 ? sql`` : sql` order by ${sql.join(keys)}`
        const bounded = limit === undefined ? sql`` : sql` limit ${sql.val(1)}`
        return sql`select ${sql.join(named)} from ${this.#table}${this.#conditions.where(conditions)}${groups}${ordered}${bounded}`
      }
    )
    const parameters = this.#conditions.parameters(conditions)
    return { ...query, parameters: limit === undefined ? parameters : [...parameters, limit] }
  }

  read(rows: readonly StoredRecord[], grouping: Grouping): Group[] {
    const readers = [
      ...grouping.by.map((name) => this.#readerOf(name)),
      ...Object.values(grouping.measures).map((each) => this.#readerOfMeasure(each))
    ]
    return rows.map((row) =>
      Object.fromEntries(
        namesOf(grouping).map((name, place) => {
          const value = row[`g${place}`] ?? null
          return [name, value === null ? null : readers[place]?.(value)]
        })
      )
    ) as Group[]
  }

  #measured(measure: Measure): Sql {
    if (measure.of === 'count') return sql`count(*)`
    const column = sql.ref(this.#conditions.column(measure.column).name)
    switch (measure.of) {
      // As numbers of JavaScript: the sum of integers is another type on each engine, or overflows.
      case 'sum':
        return this.#isWideMeasure(measure) ? sql`sum(${column})` : sql`sum(cast(${column} as double precision))`
      case 'avg':
        return sql`avg(cast(${column} as double precision))`
      case 'min':
        return sql`min(${column})`
      case 'max':
        return sql`max(${column})`
    }
  }

  #readerOf(name: string): (stored: unknown) => unknown {
    return this.#conditions.column(name).decode ?? ((stored) => stored)
  }

  #readerOfMeasure(measure: Measure): (stored: unknown) => unknown {
    const isHeld = measure.of === 'min' || measure.of === 'max' || this.#isWideMeasure(measure)
    return isHeld && measure.of !== 'count' ? this.#readerOf(measure.column) : Number
  }

  #isWide(name: string): boolean {
    return this.#conditions.column(name).type === 'bigint'
  }

  /** An average is a number of JavaScript. */
  #isWideMeasure(measure: Measure): boolean {
    return measure.of !== 'count' && measure.of !== 'avg' && this.#isWide(measure.column)
  }
}

function namesOf({ by, measures }: Grouping): readonly string[] {
  return [...by, ...Object.keys(measures)]
}
