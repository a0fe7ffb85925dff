/** The policies of scoped tables in PostgreSQL: their text, which of them are there, and who they would not hold back. */
import { type Kysely, sql } from 'kysely'
import { BootError } from 'svc-kernel'

export interface FencedTable {
  readonly table: string
  /** That keeps the scope of a row. */
  readonly column: string
  /** Name of the scope. */
  readonly scope: string
}

const POLICY = 'svc_scope_'

/** Sets, for one transaction, the value of each scope and whether all are seen: two parameters for each name. */
export function settingsOf(names: readonly string[]): string {
  const set = names.map((name, place) => {
    const [value, across] = [place * 2 + 1, place * 2 + 2]
    return `set_config('svc.scope_${name}', $${value}, true), set_config('svc.across_${name}', $${across}, true)`
  })
  return `select ${set.join(', ')}`
}

/** Evaluated once per statement, and not per row. A setting that is not made is null, or empty: no row has such a value. */
function condition({ column, scope }: FencedTable) {
  const setting = (name: string) => sql`(select current_setting(${sql.lit(name)}, true))`
  return sql`${sql.ref(column)} = ${setting(`svc.scope_${scope}`)} or ${setting(`svc.across_${scope}`)} = 'on'`
}

interface FoundPolicy {
  readonly table: string
  readonly policy: string
}

async function policies(db: Kysely<unknown>): Promise<readonly FoundPolicy[]> {
  const { rows } = await sql<FoundPolicy>`
    select c.relname as "table", p.polname as "policy"
    from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and p.polname like ${`${POLICY.replaceAll('_', '\\_')}%`}`.execute(db)
  return rows
}

/** Those of tables that have another scope now, or none. */
export async function leftOver(db: Kysely<unknown>, tables: readonly FencedTable[]): Promise<readonly FoundPolicy[]> {
  return (await policies(db)).filter((found) => !tables.some((each) => isPolicyOf(each, found)))
}

/** Those of these tables that are there. */
export async function foundOf(db: Kysely<unknown>, tables: readonly FencedTable[]): Promise<readonly FoundPolicy[]> {
  return (await policies(db)).filter((found) => tables.some((each) => isPolicyOf(each, found)))
}

function isPolicyOf(fenced: FencedTable, { table, policy }: FoundPolicy): boolean {
  return fenced.table === table && policyOf(fenced) === policy
}

export async function removePolicies(db: Kysely<unknown>, found: readonly FoundPolicy[]): Promise<void> {
  for (const { table, policy } of found) {
    await sql`drop policy ${sql.ref(policy)} on ${sql.table(table)}`.execute(db)
    await sql`alter table ${sql.table(table)} no force row level security`.execute(db)
    await sql`alter table ${sql.table(table)} disable row level security`.execute(db)
  }
}

/** Those that exist with the column of their scope: migrations may be behind the entities. */
export async function withColumn(db: Kysely<unknown>, tables: readonly FencedTable[]): Promise<readonly FencedTable[]> {
  const { rows } = await sql<{ readonly table: string; readonly column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema()`.execute(db)
  return tables.filter((each) => rows.some(({ table, column }) => table === each.table && column === each.column))
}

/** The owner of a table passes its policies unless they are forced. What is there already is left alone. */
export async function raisePolicies(db: Kysely<unknown>, tables: readonly FencedTable[]): Promise<void> {
  const there = await policies(db)
  const { rows: secured } = await sql<{ readonly table: string }>`
    select relname as "table" from pg_class where relrowsecurity and relforcerowsecurity
      and relnamespace = (select oid from pg_namespace where nspname = current_schema())`.execute(db)
  for (const each of tables) {
    const table = sql.table(each.table)
    if (!there.some((found) => isPolicyOf(each, found))) {
      const rows = condition(each)
      await sql`create policy ${sql.ref(policyOf(each))} on ${table} using (${rows}) with check (${rows})`.execute(db)
    }
    if (secured.some((found) => found.table === each.table)) continue
    await sql`alter table ${table} enable row level security`.execute(db)
    await sql`alter table ${table} force row level security`.execute(db)
  }
}

/** @throws BootError for a role that passes every policy, and for policies that nothing is said to */
export async function refuseBypass(
  db: Kysely<unknown>,
  connector: string,
  rowSecurity: boolean,
  tables: readonly FencedTable[]
): Promise<void> {
  const at = `svc-sqlorm.connectors.${connector}`
  if (!rowSecurity) {
    const [found] = (await policies(db)).filter(({ table }) => tables.some((each) => each.table === table))
    if (found === undefined) return
    throw new BootError([
      {
        code: 'SVC_SQLORM_ROW_SECURITY',
        message: `table ${found.table} has a policy of svc, and rowSecurity is off: no row would be seen`,
        at,
        expected: 'rowSecurity: true',
        fix: `set rowSecurity: true, or drop policy ${found.policy} on ${found.table} and disable row level security there`,
        more: MORE
      }
    ])
  }
  const { rows } = await sql<{ readonly role: string; readonly superuser: boolean; readonly bypasses: boolean }>`
    select rolname as "role", rolsuper as "superuser", rolbypassrls as "bypasses"
    from pg_roles where rolname = current_user`.execute(db)
  const [found] = rows
  if (found?.superuser === false && !found.bypasses) return
  throw new BootError([
    {
      code: 'SVC_SQLORM_ROW_SECURITY',
      message: `role ${found?.role ?? 'unknown'} passes every policy, so row security would hold nothing back`,
      at: `${at}.url`,
      got: found?.superuser === true ? 'a superuser' : 'a role with BYPASSRLS',
      expected: 'a role without SUPERUSER and BYPASSRLS',
      fix: 'connect as a role of its own: create role app login nosuperuser nobypassrls',
      more: MORE
    }
  ])
}

const MORE = 'npx svc docs row-security'

function policyOf({ scope }: FencedTable): string {
  return `${POLICY}${scope}`
}
