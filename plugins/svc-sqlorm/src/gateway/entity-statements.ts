/**
 * The statements of one entity, compiled per shape. Names come from the entity
 * alone and values go as parameters: no text of a caller becomes SQL.
 */
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { CompiledEntity, Condition, ParsedChanges, Selection, StoredRow } from 'svc-orm'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { changeParameters, changeShape, changeSql } from './change-sql.ts'
import { CompiledStatements } from './compiled-statements.ts'
import { conditionParameters, conditionShape, conditionSql } from './condition-sql.ts'
import type { EntityColumn } from './entity-columns.ts'

export class EntityStatements {
  readonly #engine: SqlEngine
  readonly #entity: CompiledEntity
  readonly #columns: readonly EntityColumn[]
  readonly #byName: ReadonlyMap<string, EntityColumn>
  readonly #compiled: CompiledStatements
  readonly #table: RawBuilder<unknown>
  readonly #all: RawBuilder<unknown>

  /** @param columns those that the table has */
  constructor(entity: CompiledEntity, columns: readonly EntityColumn[], engine: SqlEngine, compiler: Kysely<unknown>) {
    this.#engine = engine
    this.#entity = entity
    this.#columns = columns
    this.#byName = new Map(columns.map((column) => [column.name, column]))
    this.#compiled = new CompiledStatements(compiler, engine)
    this.#table = sql.table(entity.table)
    this.#all = sql.join(columns.map(({ name }) => sql.ref(name)))
  }

  select({ conditions, order, limit, offset, lock = false }: Selection): CompiledQuery {
    const sorting = order.map(({ field, direction }) => `${field} ${direction}`).join()
    const shape = `select${lock ? ' lock' : ''} ${sorting} ${limit === null ? 0 : 1} ${offset === 0 ? 0 : 1}${this.#shape(conditions)}`
    const query = this.#compiled.get(shape, () => {
      const keys = order.map(({ field, direction }) => {
        const nulls = this.#engine.nullsLowest[direction === 'ASC' ? 'asc' : 'desc']
        return sql`${sql.ref(field)} ${this.#columnOf(field).nullable ? nulls : sql.raw(direction)}`
      })
      const single = this.#isSingle(conditions)
      const sorted = single ? sql`` : sql` order by ${sql.join(keys)}`
      // SQLite takes no offset without a limit.
      const bounded = limit === null && offset === 0 ? sql`` : sql` limit ${sql.val(1)}`
      const moved = offset === 0 ? sql`` : sql` offset ${sql.val(1)}`
      const locked = lock ? sql` ${this.#engine.lockRow}` : sql``
      return sql`select ${this.#all} from ${this.#table}${this.#where(conditions)}${sorted}${bounded}${moved}${locked}`
    })
    const parameters = this.#parameters(conditions)
    if (limit !== null || offset !== 0) parameters.push(limit ?? Number.MAX_SAFE_INTEGER)
    if (offset !== 0) parameters.push(offset)
    return { ...query, parameters }
  }

  insert(rows: readonly StoredRow[]): CompiledQuery {
    const query = this.#compiled.get(`insert ${rows.length}`, () => this.#insertSql(rows.length))
    return { ...query, parameters: this.#values(rows) }
  }

  /** Answers the ids of those that stand in nobody's way. */
  insertNew(rows: readonly StoredRow[]): CompiledQuery {
    const query = this.#compiled.get(
      `insert-new ${rows.length}`,
      () => sql`${this.#insertSql(rows.length)} on conflict do nothing returning id`
    )
    return { ...query, parameters: this.#values(rows) }
  }

  insertIfAbsent(row: StoredRow, key: readonly string[]): CompiledQuery {
    const query = this.#compiled.get(`insert-if-absent ${key.join()}`, () => {
      const fields = sql.join(key.map((name) => sql.ref(name)))
      return sql`${this.#insertSql(1)} on conflict (${fields}) do nothing returning ${this.#all}`
    })
    return { ...query, parameters: this.#values([row]) }
  }

  updateOne(conditions: readonly Condition[], changes: ParsedChanges): CompiledQuery {
    const query = this.#compiled.get(`update-one ${changeShape(changes)}${this.#shape(conditions)}`, () => {
      const target = this.#single(conditions)
      return sql`update ${this.#table} set ${changeSql(changes)}${target} returning ${this.#all}`
    })
    return { ...query, parameters: [...this.#changed(changes), ...this.#parameters(conditions)] }
  }

  updateMany(conditions: readonly Condition[], changes: ParsedChanges): CompiledQuery {
    const query = this.#compiled.get(
      `update-many ${changeShape(changes)}${this.#shape(conditions)}`,
      () => sql`update ${this.#table} set ${changeSql(changes)}${this.#where(conditions)}`
    )
    return { ...query, parameters: [...this.#changed(changes), ...this.#parameters(conditions)] }
  }

  /** Writes rows as they are. */
  touch(conditions: readonly Condition[]): CompiledQuery {
    const query = this.#compiled.get(
      `touch${this.#shape(conditions)}`,
      () => sql`update ${this.#table} set id = id${this.#where(conditions)}`
    )
    return { ...query, parameters: this.#parameters(conditions) }
  }

  deleteOne(conditions: readonly Condition[]): CompiledQuery {
    const query = this.#compiled.get(
      `delete-one${this.#shape(conditions)}`,
      () => sql`delete from ${this.#table}${this.#single(conditions)} returning ${this.#all}`
    )
    return { ...query, parameters: this.#parameters(conditions) }
  }

  deleteMany(conditions: readonly Condition[]): CompiledQuery {
    const query = this.#compiled.get(
      `delete-many${this.#shape(conditions)}`,
      () => sql`delete from ${this.#table}${this.#where(conditions)}`
    )
    return { ...query, parameters: this.#parameters(conditions) }
  }

  count(conditions: readonly Condition[]): CompiledQuery {
    const query = this.#compiled.get(
      `count${this.#shape(conditions)}`,
      () => sql`select count(*) as ${sql.ref('total')} from ${this.#table}${this.#where(conditions)}`
    )
    return { ...query, parameters: this.#parameters(conditions) }
  }

  exists(conditions: readonly Condition[]): CompiledQuery {
    const query = this.#compiled.get(
      `exists${this.#shape(conditions)}`,
      () => sql`select 1 as ${sql.ref('found')} from ${this.#table}${this.#where(conditions)} limit 1`
    )
    return { ...query, parameters: this.#parameters(conditions) }
  }

  readonly #columnOf = (field: string): EntityColumn => {
    const column = this.#byName.get(field)
    if (column === undefined) throw new TypeError(`no column ${field}`)
    return column
  }

  #shape(conditions: readonly Condition[]): string {
    let shape = ''
    for (const condition of conditions) shape += `;${conditionShape(condition, this.#engine, this.#columnOf)}`
    return shape
  }

  #parameters(conditions: readonly Condition[]): unknown[] {
    const parameters: unknown[] = []
    for (const condition of conditions) {
      parameters.push(...conditionParameters(condition, this.#engine, this.#columnOf))
    }
    return parameters
  }

  #changed(changes: ParsedChanges): readonly unknown[] {
    return changeParameters(changes, this.#columnOf)
  }

  #values(rows: readonly StoredRow[]): unknown[] {
    return rows.flatMap((row) => this.#columns.map(({ name, encode }) => encode(row[name] ?? null)))
  }

  #insertSql(count: number): RawBuilder<unknown> {
    const row = sql`(${sql.join(this.#columns.map(() => sql.val(null)))})`
    return sql`insert into ${this.#table} (${this.#all}) values ${sql.join(Array.from({ length: count }, () => row))}`
  }

  #where(conditions: readonly Condition[]): RawBuilder<unknown> {
    if (conditions.length === 0) return sql``
    const each = conditions.map((condition) => conditionSql(condition, this.#engine, this.#columnOf))
    return sql` where ${sql.join(each, sql` and `)}`
  }

  /** A `where` that takes one row: the first match by id, looked at again under its lock. */
  #single(conditions: readonly Condition[]): RawBuilder<unknown> {
    const where = this.#where(conditions)
    if (this.#isSingle(conditions)) return where
    const first = sql`select id from ${this.#table}${where} order by id limit 1 ${this.#engine.lockRow}`
    return sql` where id = (${first})`
  }

  /** No two rows can match. */
  #isSingle(conditions: readonly Condition[]): boolean {
    return conditions.some(
      ({ field, operator }) => operator === 'eq' && (field === 'id' || this.#entity.fields.get(field)?.unique === true)
    )
  }
}
