/** Foreign keys that a migration makes and drops. Rows without their owner, or with one of another scope, are counted first. */
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
    await this.#refuseFaulty(entity, reference, wanted)
    if (wanted.within !== undefined) await this.#refuseFaulty(entity, reference, wanted, wanted.within)
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

  /** @param crossed the column in which a row and the one that it names differ; absent: it names none */
  async #refuseFaulty(
    entity: string,
    reference: MigratedReference,
    { column, table: target, key: owned }: TableReference,
    crossed?: string
  ): Promise<void> {
    const { db, engine } = this.#parts
    const held = sql.ref(`faulty.${column}`)
    const same =
      crossed === undefined ? sql`` : sql` and ${sql.ref(`owner.${crossed}`)} <> ${sql.ref(`faulty.${crossed}`)}`
    const owner = sql`exists (select 1 from ${sql.table(target)} as owner where ${sql.ref(`owner.${owned}`)} = ${held}${same})`
    const isFaulty = crossed === undefined ? sql`not ${owner}` : owner
    const faulty = sql`from ${sql.table(snakeCase(entity))} as faulty where ${held} is not null and ${isFaulty}`
    const { rows } = await sql<{ n: number | string }>`select count(*) as n ${faulty}`.execute(db)
    const count = Number(rows[0]?.n ?? 0)
    if (count === 0) return
    const key = await engine.alteration.primaryKey(db.withoutPlugins(), snakeCase(entity))
    const columns = sql.join(key.map((name) => sql.ref(`faulty.${name}`)))
    const first = await sql<Readonly<Record<string, unknown>>>`
      select ${columns} ${faulty} order by ${columns} limit ${sql.lit(NAMED)}`.execute(db)
    throw danglingRows(
      entity,
      reference,
      count,
      first.rows.map((row) => key.map((name) => String(row[name])).join(',')),
      crossed
    )
  }
}

function definition({ column, to, within, onDelete, deferrable, existing }: MigratedReference): TableReference {
  const { table = snakeCase(to), key = 'id' } = existing ?? {}
  const tied = within === undefined ? {} : { within }
  return { column, table, key, ...tied, onDelete, ...(deferrable === true && { deferrable }) }
}

function isSame({ key, within, onDelete, deferrable }: ExistingReference, wanted: TableReference): boolean {
  return (
    key === wanted.key &&
    within === wanted.within &&
    onDelete === wanted.onDelete &&
    deferrable === (wanted.deferrable ?? false)
  )
}
