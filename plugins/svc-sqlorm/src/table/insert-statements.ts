/** The statements that put new rows into a table. Each shape is compiled once; calls bring their parameters only. */
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Change, type Condition, type IndexPlan, indexConditions, keyOf, type TablePlan } from 'svc-stores/table'
import { rowsClause } from '../engines/schema-statements.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { changedColumns, changeParameters, changeShape, changeSql } from './change-sql.ts'
import type { CompiledStatements } from './compiled-statements.ts'
import type { ConditionSql } from './condition-sql.ts'
import { addValues, namesOf, refs, selected, type TableColumn, tableIndex } from './table-columns.ts'

type Sql = RawBuilder<unknown>

export interface PutColumns {
  readonly guard: readonly Condition[]
  readonly keep: readonly string[]
  readonly max: readonly string[]
}

export interface PutChange extends Pick<PutColumns, 'guard'> {
  readonly change: Change<object>
  /** Columns of a unique index, or the key. */
  readonly by: readonly string[]
}

export interface ConflictTarget {
  readonly shape: string
  readonly target: () => Sql
}

export class InsertStatements {
  readonly #plan: TablePlan
  readonly #key: readonly string[]
  readonly #columns: readonly TableColumn[]
  readonly #conditions: ConditionSql
  readonly #compiled: CompiledStatements
  readonly #engine: SqlEngine
  readonly #table: Sql
  readonly #keys: Sql
  /** The columns of a row, without those that searches read. */
  readonly #all: Sql

  /** @param columns those of the plan; without one of them in the table, every insert is refused */
  constructor(
    plan: TablePlan,
    columns: readonly TableColumn[],
    conditions: ConditionSql,
    compiled: CompiledStatements,
    engine: SqlEngine
  ) {
    this.#plan = plan
    this.#key = keyOf(plan)
    this.#columns = columns
    this.#conditions = conditions
    this.#compiled = compiled
    this.#engine = engine
    this.#table = sql.table(plan.name)
    this.#keys = refs(this.#key)
    this.#all = selected(columns)
  }

  insert(rows: readonly object[]): CompiledQuery {
    return this.#inserted(rows, `insert ${rows.length}`, () => sql``)
  }

  /** Answers the keys of those that no row stood against. @param byKey whatever other unique index refuses is an error */
  insertNew(rows: readonly object[], byKey: boolean): CompiledQuery {
    const target = byKey ? sql`(${this.#keys}) ` : sql``
    return this.#inserted(
      rows,
      `insert-new ${rows.length} ${byKey}`,
      () => sql` on conflict ${target}do nothing returning ${this.#keys}`
    )
  }

  /** @param index the unique one over these columns; of one that holds some rows only, the condition names it */
  insertIfAbsent(row: object, columns: readonly string[], index?: IndexPlan): CompiledQuery {
    const { target, shape } = conflictTarget(columns, index, this.#engine)
    const made = `insert-if-absent ${shape}`
    return this.#inserted([row], made, () => sql` on conflict ${target()} do nothing returning ${this.#all}`)
  }

  /** Inserts, or changes the row that has this key, where the guard holds of it. */
  put(row: object, { guard, keep, max }: PutColumns): CompiledQuery {
    const shape = `put ${keep.join()} ${max.join()}${this.#conditions.shape(guard)}`
    const ending = () => {
      const kept = new Set([...this.#key, ...keep, ...max])
      const taken = this.#columns.filter(({ name }) => !kept.has(name)).flatMap(namesOf)
      const sets = [...taken.map(replaced), ...max.map((name) => this.#greater(name))]
      const update = sets.length === 0 ? this.#key.map(replaced) : sets
      const guarded = this.#conditions.where(guard, this.#plan.name)
      return sql` on conflict (${this.#keys}) do update set ${sql.join(update)}${guarded} returning ${this.#all}`
    }
    return this.#inserted([row], shape, ending, this.#conditions.parameters(guard))
  }

  /** The same with a change of the row that is there, and computed on what it holds. @param index as of `insertIfAbsent` */
  putChange(row: object, { change, by, guard }: PutChange, index?: IndexPlan): CompiledQuery {
    const { name } = this.#plan
    const { target, shape: named } = conflictTarget(by, index, this.#engine)
    const changed = changedColumns(change, (column) => this.#conditions.column(column))
    const shape = `put-change ${named} ${changeShape(changed)}${this.#conditions.shape(guard)}`
    const ending = () => {
      const sets = changeSql(changed, this.#engine, this.#key[0] as string, name)
      const guarded = this.#conditions.where(guard, name)
      return sql` on conflict ${target()} do update set ${sets}${guarded} returning ${this.#all}`
    }
    const parameters = changeParameters(changed, this.#engine)
    parameters.push(...this.#conditions.parameters(guard))
    return this.#inserted([row], shape, ending, parameters)
  }

  /** @param others the parameters of the ending @throws RequiredColumnMissing where a new row would lose what is required */
  #inserted(rows: readonly object[], shape: string, ending: () => Sql, others: readonly unknown[] = []): CompiledQuery {
    const query = this.#compiled.get(shape, () => {
      // A column that the table has not is refused by its name.
      const names = this.#columns.map(({ name }) => this.#conditions.column(name)).flatMap(namesOf)
      const row = sql`(${sql.join(names.map(() => sql.val(null)))})`
      const values = sql.join(Array.from(rows, () => row))
      return sql`insert into ${this.#table} (${refs(names)}) values ${values}${ending()}`
    })
    const parameters: unknown[] = []
    for (const row of rows) addValues(row as Readonly<Record<string, unknown>>, this.#columns, parameters)
    parameters.push(...others)
    return { ...query, parameters }
  }

  /** The greater of what is held and given; null takes it. */
  #greater(name: string): Sql {
    const held = sql.ref(`${this.#plan.name}.${name}`)
    const given = sql.ref(`excluded.${name}`)
    return sql`${sql.ref(name)} = case when ${held} is null or ${held} < ${given} then ${given} else ${held} end`
  }
}

/** What an insert collides with. @param index the unique one over these columns; of one that holds some rows only, the condition names it */
export function conflictTarget(
  columns: readonly string[],
  index: IndexPlan | undefined,
  engine: SqlEngine
): ConflictTarget {
  const isPartial = index !== undefined && indexConditions(index).length > 0
  const { where = [] } = isPartial ? tableIndex(index) : {}
  const shape = `${columns.join()}${where.length === 0 ? '' : ` ${JSON.stringify(where)}`}`
  const rows = () => (where.length === 0 ? sql`` : sql` where ${sql.raw(rowsClause(where, engine))}`)
  return { shape, target: () => sql`(${refs(columns)})${rows()}` }
}

function replaced(name: string): Sql {
  return sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`
}
