/**
 * Kinds of index that PostgreSQL has besides that by order. Trigrams come with the extension `pg_trgm`, which is created here
 * where the server has it and the user may.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { BootError } from 'svc-kernel'
import type { IndexMethod } from 'svc-stores/table'
import { postgresFailure } from './postgres-failure.ts'

export const POSTGRES_METHODS: readonly IndexMethod[] = ['gin', 'trigram', 'words']

const EXTENSION = 'pg_trgm'

/** What follows the table in `create index`. @param folded the column as searches read it @throws BootError SVC_SQLORM_EXTENSION */
export async function methodClause(
  db: Kysely<unknown>,
  method: IndexMethod,
  column: RawBuilder<unknown>,
  folded: RawBuilder<unknown>
): Promise<RawBuilder<unknown>> {
  // All that containment asks for, and half as large as the usual operators.
  if (method === 'gin') return sql`using gin (${column} jsonb_path_ops)`
  const operators = sql`${sql.ref(await trigramSchema(db))}.gin_trgm_ops`
  // `$like` reads the column, `$contains` its folded text.
  return sql`using gin (${column} ${operators}, (${folded}) ${operators})`
}

/** The schema of the extension, which need not be one that names are looked up in. */
async function trigramSchema(db: Kysely<unknown>): Promise<string> {
  const found = await schemaOf(db)
  if (found !== null) return found
  try {
    await sql`create extension if not exists ${sql.ref(EXTENSION)}`.execute(db)
  } catch (error) {
    const why =
      postgresFailure(error)?.kind === 'misconfigured' ? 'the user may not create it' : 'the server does not have it'
    throw new BootError(
      [
        {
          code: 'SVC_SQLORM_EXTENSION',
          message: `an index with the method trigram needs the extension ${EXTENSION}, and ${why}`,
          expected: `create extension ${EXTENSION}`,
          fix: `let the owner of the database run it, after installing the package postgresql-contrib; or remove the index`,
          more: 'npx svc docs svc-sqlorm'
        }
      ],
      { cause: error }
    )
  }
  return (await schemaOf(db)) ?? 'public'
}

async function schemaOf(db: Kysely<unknown>): Promise<string | null> {
  const { rows } = await sql<{ schema: string }>`select n.nspname as "schema"
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = ${EXTENSION}`.execute(db)
  return rows[0]?.schema ?? null
}
