/** The statements of one table. Each shape is compiled once; calls bring their parameters only. */
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { type Change, type Condition, type ConditionValue, keyOf, type Order, type TablePlan } from 'svc-stores/table'
import type { SqlEngine, StoredRecord } from '../engines/sql-engine.ts'
import { type ChangedColumn, changedColumns, changeParameters, changeShape, changeSql } from './change-sql.ts'
import { CompiledStatements } from './compiled-statements.ts'
import { ConditionSql } from './condition-sql.ts'
import { GroupStatements } from './group-statements.ts'
import { InsertStatements } from './insert-statements.ts'
import { MergeStatements } from './merge-statements.ts'
import { OrderSql } from './order-sql.ts'
import { SelectStatements } from './select-statements.ts'
import { decodedColumns, decodedRow, readable, readRow, refs, selected, type TableColumn } from './table-columns.ts'

type Sql = RawBuilder<unknown>

/** A table whose row is found by what a column of another one holds. */
export interface JoinedTable {
  readonly statements: TableStatements
  /** Unique there. */
  readonly column: string
  readonly on: string
}

/** What is known of the table itself. */
export interface StandingTable {
  /** Required columns that it has not: what touches them is refused. */
  readonly absent: ReadonlySet<string>
  /** A column that numbers its rows, and is none of the plan; `null`: there is none. */
  readonly number: string | null
}

export class TableStatements {
  readonly inserts: InsertStatements
  readonly merges: MergeStatements
  readonly groups: GroupStatements
  readonly selects: SelectStatements
  readonly #engine: SqlEngine
  readonly #reading: ConditionSql
  readonly #writing: ConditionSql
  readonly #key: readonly string[]
  /** Those of the plan. */
  readonly #columns: readonly TableColumn[]
  /** Those of the table. */
  readonly #present: readonly TableColumn[]
  readonly #decoded: readonly TableColumn[]
  readonly #compiled: CompiledStatements
  readonly #order: OrderSql
  readonly #name: string
  readonly #namesAt: (readonly string[])[] = []
  readonly #table: Sql
  readonly #keys: Sql
  /** The columns of a row, without those that searches read. */
  readonly #all: Sql

  constructor(
    plan: TablePlan,
    columns: readonly TableColumn[],
    { absent, number }: StandingTable,
    engine: SqlEngine,
    compiler: Kysely<unknown>,
    otherOf: (plan: TablePlan) => TableStatements
  ) {
    const conditionsOf = (other: TablePlan) => otherOf(other).#reading
    const present = absent.size === 0 ? columns : columns.filter(({ name }) => !absent.has(name))
    this.#reading = new ConditionSql(plan, present, engine, false, conditionsOf)
    this.#writing = new ConditionSql(plan, present, engine, true, conditionsOf)
    this.#engine = engine
    this.#key = keyOf(plan)
    this.#columns = columns
    this.#present = present
    this.#decoded = decodedColumns(present)
    this.#compiled = new CompiledStatements(compiler, engine)
    this.#name = plan.name
    this.#table = sql.table(plan.name)
    this.#keys = refs(this.#key)
    this.#all = selected(present)
    this.inserts = new InsertStatements(plan, columns, this.#writing, this.#compiled, engine)
    this.merges = new MergeStatements(plan, columns, this.#writing, this.#compiled, engine)
    this.#order = new OrderSql(plan.name, this.#writing, engine)
    this.selects = new SelectStatements({
      ...{ plan, columns, present, engine, compiled: this.#compiled },
      ...{ rowKey: number === null ? this.#key : [number] },
      ...{ reading: this.#reading, writing: this.#writing, order: this.#order }
    })
    this.groups = new GroupStatements(plan.name, this.#reading, this.#compiled, engine)
  }

  read(rows: readonly StoredRecord[]): Record<string, unknown>[] {
    if (this.#present.length < this.#columns.length) return rows.map((stored) => readRow(stored, this.#columns))
    return rows.map((stored) => decodedRow(stored, this.#decoded))
  }

  /** The first row by key, with one of each other table. */
  joined(conditions: readonly Condition[], others: readonly JoinedTable[]): CompiledQuery {
    const shape = others.map(({ statements, column, on }) => `${statements.#name}.${column} ${on}`)
    const query = this.#get(`joined ${shape.join()}`, conditions, () => {
      const own = aliasOf(0)
      const columns = [this, ...others.map(({ statements }) => statements)].flatMap((each, place) => {
        const selected = each.#columns.map(
          (column, index) => [column, each.#joinedNames(place)[index] as string] as const
        )
        return selected
          .filter(([column]) => each.#present.includes(column))
          .map(([column, as]) => sql`${readable(column, aliasOf(place))} as ${sql.ref(as)}`)
      })
      const joins = others.map(({ statements, column, on }, index) => {
        const alias = aliasOf(index + 1)
        const isSame = sql`${sql.ref(`${alias}.${column}`)} = ${sql.ref(`${own}.${on}`)}`
        return sql` left join ${statements.#table} as ${sql.ref(alias)} on ${isSame}`
      })
      const first = sql` order by ${refs(this.#key.map((name) => `${own}.${name}`))} limit 1`
      const rows = sql`${this.#reading.where(conditions, own)}${this.#reading.isSingle(conditions) ? sql`` : first}`
      return sql`select ${sql.join(columns)} from ${this.#table} as ${sql.ref(own)}${sql.join(joins, sql``)}${rows}`
    })
    return { ...query, parameters: this.#reading.parameters(conditions) }
  }

  /** Of `joined`; `null` for a table that has none. */
  readJoined(stored: StoredRecord, others: readonly JoinedTable[]): (Record<string, unknown> | null)[] {
    return [this, ...others.map(({ statements }) => statements)].map((each, place) => each.#readJoined(stored, place))
  }

  /** @param answers the rows as they are afterwards are answered; else how many they are */
  update(conditions: readonly Condition[], change: Change<object>, answers = false): CompiledQuery {
    return this.#update(answers ? 'update-answered' : 'update', conditions, change, () => {
      const answer = answers ? sql` returning ${this.#all}` : sql``
      return sql`${this.#writing.where(conditions)}${answer}`
    })
  }

  /** Writes rows as they are. */
  touch(rows: readonly object[]): CompiledQuery {
    const valueIn = (row: object, name: string) => (row as StoredRecord)[name] as ConditionValue
    const [field, ...rest] = this.#key as readonly [string, ...string[]]
    const values = rows.map((row) => valueIn(row, field))
    const own = (row: object) =>
      this.#key.map((name): Condition => ({ field: name, operator: 'eq', value: valueIn(row, name) }))
    const among: Condition =
      rest.length === 0 ? { field, operator: 'in', values, orNull: false } : { operator: 'any', of: rows.map(own) }
    return this.update([among], {})
  }

  updateOne(conditions: readonly Condition[], change: Change<object>): CompiledQuery {
    return this.#update('update-one', conditions, change, () => sql`${this.#first(conditions)} returning ${this.#all}`)
  }

  claim(conditions: readonly Condition[], change: Change<object>, limit: number, order: Order): CompiledQuery {
    const query = this.#update(`claim ${this.#order.shape(order)}`, conditions, change, () => {
      const some = this.#some(conditions, this.#order.sql(order), this.#engine.lockFree)
      return sql`${some} returning ${this.#all}`
    })
    return { ...query, parameters: [...query.parameters, limit] }
  }

  /** @param atMost how many rows; `null`: all @param answers the keys are answered; else how many they are */
  delete(conditions: readonly Condition[], atMost: number | null, answers: boolean): CompiledQuery {
    const query = this.#get(`delete ${atMost === null} ${answers}`, conditions, () => {
      const some = this.#some(conditions, this.#fromBound(conditions), this.#engine.lockRow)
      const answer = answers ? sql` returning ${this.#keys}` : sql``
      return sql`delete from ${this.#table}${atMost === null ? this.#writing.where(conditions) : some}${answer}`
    })
    const parameters = this.#writing.parameters(conditions)
    if (atMost !== null) parameters.push(atMost)
    return { ...query, parameters }
  }

  deleteOne(conditions: readonly Condition[]): CompiledQuery {
    const query = this.#get(
      'delete-one',
      conditions,
      () => sql`delete from ${this.#table}${this.#first(conditions)} returning ${this.#all}`
    )
    return { ...query, parameters: this.#writing.parameters(conditions) }
  }

  count(conditions: readonly Condition[]): CompiledQuery {
    return this.counts(conditions, [])
  }

  /** The rows in all as `total`, and those of each part by its name. */
  counts(
    conditions: readonly Condition[],
    parts: readonly (readonly [name: string, conditions: readonly Condition[]])[]
  ): CompiledQuery {
    const shapes = parts.map(([name, part]) => `${name}(${this.#reading.shape(part)})`)
    const query = this.#get(`count ${shapes.join()}`, conditions, () => {
      const counted = parts.map(
        ([name, part]) => sql`count(*) filter (where ${this.#reading.allOf(part)}) as ${sql.ref(name)}`
      )
      const total = sql`count(*) as ${sql.ref('total')}`
      return sql`select ${sql.join([total, ...counted])} from ${this.#table}${this.#reading.where(conditions)}`
    })
    const parameters = parts.flatMap(([, part]) => this.#reading.parameters(part))
    return { ...query, parameters: [...parameters, ...this.#reading.parameters(conditions)] }
  }

  exists(conditions: readonly Condition[]): CompiledQuery {
    const query = this.#get(
      'exists',
      conditions,
      () => sql`select 1 as ${sql.ref('found')} from ${this.#table}${this.#reading.where(conditions)} limit 1`
    )
    return { ...query, parameters: this.#reading.parameters(conditions) }
  }

  /** Names of the columns among those of joined tables: numbered, as two tables may name theirs alike. */
  #joinedNames(place: number): readonly string[] {
    const known = this.#namesAt[place]
    if (known !== undefined) return known
    const names = this.#columns.map((_, index) => `c${place}_${index}`)
    this.#namesAt[place] = names
    return names
  }

  #readJoined(stored: StoredRecord, place: number): Record<string, unknown> | null {
    const row = readRow(stored, this.#columns, this.#joinedNames(place))
    return row[this.#key[0] as string] === null ? null : row
  }

  #get(name: string, conditions: readonly Condition[], build: () => Sql): CompiledQuery {
    return this.#compiled.get(`${name}${this.#writing.shape(conditions)}`, build)
  }

  #update(name: string, conditions: readonly Condition[], change: Change<object>, rows: () => Sql): CompiledQuery {
    const changed = this.#changed(change)
    const query = this.#get(`${name} ${changeShape(changed)}`, conditions, () => {
      const sets = changeSql(changed, this.#engine, this.#key[0] as string)
      return sql`update ${this.#table} set ${sets}${rows()}`
    })
    const parameters = changeParameters(changed, this.#engine)
    return { ...query, parameters: [...parameters, ...this.#writing.parameters(conditions)] }
  }

  #changed(change: Change<object>): readonly ChangedColumn[] {
    return changedColumns(change, (name) => this.#writing.column(name))
  }

  /** A `where` that takes a bounded number of rows, which are found and locked once, however the statement is planned. */
  #some(conditions: readonly Condition[], order: Sql, lock: Sql): Sql {
    const rows = sql`${this.#writing.where(conditions)}${order} limit ${this.#engine.rowCount} ${lock}`
    const taken = sql`with taken as materialized (select ${this.#keys} from ${this.#table}${rows})`
    return sql` where (${this.#keys}) in (${taken} select ${this.#keys} from taken)`
  }

  /** A `where` that takes one row: the first match by key, looked at again under its lock. */
  #first(conditions: readonly Condition[]): Sql {
    const where = this.#writing.where(conditions)
    if (this.#writing.isSingle(conditions)) return where
    const first = sql`select ${this.#keys} from ${this.#table}${where} order by ${this.#keys} limit 1`
    return sql` where (${this.#keys}) = (${first} ${this.#engine.lockRow})`
  }

  /** The order of a bounded number of rows below a value: that of an index, so that a planner reads none of the others. */
  #fromBound(conditions: readonly Condition[]): Sql {
    const [bound] = conditions.length === 1 ? conditions : []
    const isBound = bound?.operator === 'lt' || bound?.operator === 'lte'
    return isBound ? this.#order.sql([{ field: bound.field, direction: 'ASC' }]) : sql``
  }
}

/** Of a joined table. */
function aliasOf(place: number): string {
  return `t${place}`
}
