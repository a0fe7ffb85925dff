/** Foreign keys that a migration makes and drops. Rows without their owner are counted before anything is changed. */
import { type Kysely, sql } from 'kysely'
import { danglingRows, type FoundInPlace, type MigratedReference, snakeCase } from 'svc-orm/driver'
import type { ExistingReference } from '../engines/schema-alteration.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { TableReference } from '../schema/table-definition.ts'

/** How many rows are named. */
const NAMED = 5

export interface SqlReferencesParts {
  readonly db: Kysely<unknown>
  readonly engine: SqlEngine
  readonly found: FoundInPlace
}

export class SqlReferences {
  readonly #parts: SqlReferencesParts

  constructor(parts: SqlReferencesParts) {
    this.#parts = parts
  }

  /** @throws BootError SVC_ORM_MIGRATION_DATA */
  async add(entity: string, reference: MigratedReference): Promise<void> {
    const { db, engine, found } = this.#parts
    const table = snakeCase(entity)
    const wanted = definition(reference)
    const standing = await this.#standing(table, wanted)
    if (standing !== undefined && isSame(standing, wanted)) return found.note({ entity, reference })
    await this.#refuseDangling(entity, reference, wanted)
    if (standing !== undefined) await engine.alteration.dropReference(db, standing)
    await engine.alteration.addReference(db, table, wanted)
  }

  async drop(entity: string, reference: MigratedReference): Promise<void> {
    const { db, engine, found } = this.#parts
    if (found.reference(entity, reference.column) !== undefined) return
    const standing = await this.#standing(snakeCase(entity), definition(reference))
    if (standing !== undefined) await engine.alteration.dropReference(db, standing)
  }

  async #standing(table: string, wanted: TableReference): Promise<ExistingReference | undefined> {
    const all = await this.#parts.engine.alteration.references(this.#parts.db)
    return all.find((each) => {
      return each.table === table && each.column === wanted.column && each.target === wanted.table
    })
  }

  async #refuseDangling(
    entity: string,
    reference: MigratedReference,
    { column, table: target, key }: TableReference
  ): Promise<void> {
    const { db } = this.#parts
    const held = sql.ref(`dangling.${column}`)
    const dangling = sql`from ${sql.table(snakeCase(entity))} as dangling where ${held} is not null and not exists (
      select 1 from ${sql.table(target)} as owner where ${sql.ref(`owner.${key}`)} = ${held})`
    const { rows } = await sql<{ n: number | string }>`select count(*) as n ${dangling}`.execute(db)
    const count = Number(rows[0]?.n ?? 0)
    if (count === 0) return
    const first = await sql<{ id: string }>`
      select dangling.id as "id" ${dangling} order by dangling.id limit ${sql.lit(NAMED)}`.execute(db)
    throw danglingRows(
      entity,
      reference,
      count,
      first.rows.map(({ id }) => id)
    )
  }
}

function definition({ column, to, onDelete, deferrable, existing }: MigratedReference): TableReference {
  const { table = snakeCase(to), key = 'id' } = existing ?? {}
  return { column, table, key, onDelete, ...(deferrable === true && { deferrable }) }
}

function isSame({ key, onDelete, deferrable }: ExistingReference, wanted: TableReference): boolean {
  return key === wanted.key && onDelete === wanted.onDelete && deferrable === (wanted.deferrable ?? false)
}
