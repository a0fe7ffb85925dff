/** Statements that write many rows by their keys. Each shape is compiled once; calls bring their parameters only. */
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Change, type Condition, keyOf, type TablePlan, uniqueIndexOf } from 'svc-stores/table'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { changedColumns, changeParameters, changeShape, changeSql } from './change-sql.ts'
import { type CompiledStatements, MOST_PARAMETERS } from './compiled-statements.ts'
import type { ConditionSql } from './condition-sql.ts'
import { conflictTarget } from './insert-statements.ts'
import { addValues, namesOf, readable, refs, type TableColumn } from './table-columns.ts'

type Sql = RawBuilder<unknown>

/** See `Merge` of the storage port. */
export interface MergedRows {
  readonly rows: readonly object[]
  readonly by: readonly string[]
  readonly take: readonly string[]
  readonly held: readonly string[]
  readonly change: Change<object>
  readonly guard: readonly Condition[]
}

const GIVEN = 'given'

export class MergeStatements {
  /** How many rows one statement takes. */
  readonly rowsAtOnce: number
  readonly #plan: TablePlan
  readonly #columns: readonly TableColumn[]
  readonly #conditions: ConditionSql
  readonly #compiled: CompiledStatements
  readonly #engine: SqlEngine
  readonly #table: Sql

  /** @param columns those of the plan; one that the table has not is refused by its name */
  constructor(
    plan: TablePlan,
    columns: readonly TableColumn[],
    conditions: ConditionSql,
    compiled: CompiledStatements,
    engine: SqlEngine
  ) {
    this.#plan = plan
    this.#columns = columns
    this.#conditions = conditions
    this.#compiled = compiled
    this.#engine = engine
    this.#table = sql.table(plan.name)
    const room = Math.floor(MOST_PARAMETERS / columns.flatMap(namesOf).length)
    this.rowsAtOnce = Math.max(1, Math.min(engine.rowsAtOnce, room))
  }

  /** Changes the rows that are there, and answers them. */
  update(merged: MergedRows): CompiledQuery {
    const { rows, by, take, held, guard } = merged
    const columns = [...new Set([...by, ...take, ...held])].map((name) => this.#conditions.column(name))
    const changed = this.#changed(merged)
    const query = this.#get('merge-update', merged, () => {
      const names = columns.flatMap(namesOf)
      const given = (name: string) => sql.ref(`${GIVEN}.column${names.indexOf(name) + 1}`)
      const same = this.#asGiven([...by, ...held], given)
      const where = sql` where ${same}${guard.length === 0 ? sql`` : sql` and ${this.#guarded(guard)}`}`
      const sets = this.#sets(merged, given) ?? changeSql([], this.#engine, keyOf(this.#plan)[0] as string)
      return sql`update ${this.#table} set ${sets} from ${this.#given(names, rows)}${where}${this.#answer()}`
    })
    const parameters = [...changeParameters(changed, this.#engine), ...this.#encoded(rows, columns)]
    return { ...query, parameters: [...parameters, ...this.#conditions.parameters(guard)] }
  }

  /**
   * Inserts the rows that are not there, changes the others, and answers both; where nothing changes, those that are new.
   * All rows belong to one unique index.
   */
  insert(merged: MergedRows): CompiledQuery {
    const { rows, by, held, guard } = merged
    const columns = this.#columns.map(({ name }) => this.#conditions.column(name))
    const { target, shape } = conflictTarget(by, uniqueIndexOf(this.#plan, by, rows[0] ?? {}), this.#engine)
    const changed = this.#changed(merged)
    const excluded = (name: string) => sql.ref(`excluded.${name}`)
    const query = this.#get(`merge-insert ${shape}`, merged, () => {
      const names = columns.flatMap(namesOf)
      const given = this.#engine.newRows(this.#plan.name, names, rows.length)
      const sets = this.#sets(merged, excluded)
      const met =
        held.length === 0 ? this.#guarded(guard) : sql`${this.#asGiven(held, excluded)} and ${this.#guarded(guard)}`
      const existing = sets === null ? sql`nothing` : sql`update set ${sets} where ${met}`
      const made = sql`insert into ${this.#table} (${refs(names)}) ${given}`
      return sql`${made} on conflict ${target()} do ${existing}${this.#answer()}`
    })
    const values = this.#encoded(rows, columns)
    if (!this.changes(merged)) return { ...query, parameters: values }
    const parameters = [...changeParameters(changed, this.#engine), ...this.#conditions.parameters(guard)]
    return { ...query, parameters: [...values, ...parameters] }
  }

  /** Whether existing rows take anything, or are changed. */
  changes({ take, change }: MergedRows): boolean {
    return take.length > 0 || this.#changed({ change }).length > 0
  }

  #get(name: string, { rows, by, take, held, change, guard }: MergedRows, build: () => Sql): CompiledQuery {
    const said = [rows.length, by, take, held, changeShape(this.#changed({ change }))]
    return this.#compiled.get(`${name} ${JSON.stringify(said)}${this.#conditions.shape(guard)}`, build)
  }

  #changed({ change }: Pick<MergedRows, 'change'>) {
    return changedColumns(change, (name) => this.#conditions.column(name))
  }

  /** What existing rows take of the given ones, and what becomes of them besides; `null`: nothing. */
  #sets(merged: MergedRows, given: (name: string) => Sql): Sql | null {
    const taken = merged.take.flatMap((name) => namesOf(this.#conditions.column(name)))
    const changed = this.#changed(merged)
    if (taken.length === 0 && changed.length === 0) return null
    const sets = taken.map((name) => sql`${sql.ref(name)} = ${given(name)}`)
    const { name } = this.#plan
    return sql.join(changed.length === 0 ? sets : [...sets, changeSql(changed, this.#engine, '', name)])
  }

  #asGiven(names: readonly string[], given: (name: string) => Sql): Sql {
    const same = names.map((name) => sql`${sql.ref(`${this.#plan.name}.${name}`)} = ${given(name)}`)
    return sql.join(same, sql` and `)
  }

  #guarded(guard: readonly Condition[]): Sql {
    return this.#conditions.allOf(guard, this.#plan.name)
  }

  #given(names: readonly string[], rows: readonly object[]): Sql {
    return this.#engine.givenRows(this.#plan.name, GIVEN, names, rows.length)
  }

  #encoded(rows: readonly object[], columns: readonly TableColumn[]): readonly unknown[] {
    const values: unknown[] = []
    for (const row of rows) addValues(row as Readonly<Record<string, unknown>>, columns, values)
    return this.#engine.encodeRows(values, columns.flatMap(namesOf).length)
  }

  /** Named with their table, as a column of it may have the name of a given one. */
  #answer(): Sql {
    const own = this.#columns.map((column) => sql`${readable(column, this.#plan.name)} as ${sql.ref(column.name)}`)
    return sql` returning ${sql.join(own)}`
  }
}
