/**
 * Row-level security of PostgreSQL as a second fence around scoped rows: what a statement may see is said to its transaction
 * beside its conditions, and a policy of each table holds it to that. On another engine, and without the option, there is none.
 */
import { CompiledQuery, type Kysely } from 'kysely'
import { type CallerScopes, type CompiledEntity, entityPlan } from 'svc-orm/driver'
import type { TablePlan } from 'svc-stores/table'
import type { SqlEngine } from '../engines/sql-engine.ts'
import {
  type FencedTable,
  foundOf,
  leftOver,
  raisePolicies,
  refuseBypass,
  removePolicies,
  settingsOf,
  withColumn
} from './policies.ts'

export interface RowFenceParts {
  /** Of the connector. */
  readonly name: string
  readonly rowSecurity: boolean
}

export class RowFence {
  readonly #parts: RowFenceParts
  readonly #covered = new Set<TablePlan>()
  #scopes: CallerScopes | null = null
  #tables: readonly FencedTable[] = []
  #names: readonly string[] = []
  #text = ''

  constructor(parts: RowFenceParts) {
    this.#parts = parts
  }

  /** Before tables are declared. */
  accept(entities: readonly CompiledEntity[], scopes: CallerScopes): void {
    // A table that is somebody else's keeps its own policies.
    const own = entities.filter(({ existing }) => existing === undefined)
    this.#tables = own.flatMap(({ table, scope }) =>
      scope === undefined ? [] : [{ table, column: scope.field, scope: scope.name }]
    )
    if (this.#tables.length === 0) return
    this.#scopes = scopes
    this.#names = [...new Set(this.#tables.map(({ scope }) => scope))]
    this.#text = settingsOf(this.#names)
    // Conditions of each reach into the tables of the others.
    for (const entity of entities) this.#covered.add(entityPlan(entity))
  }

  get isRaised(): boolean {
    return this.#parts.rowSecurity && this.#scopes !== null
  }

  /** Whether its statements are to be said what they may see. */
  covers(plan: TablePlan): boolean {
    return this.#parts.rowSecurity && this.#covered.has(plan)
  }

  /** What says to a transaction what the caller may see; `null` where nothing is fenced. */
  setting(): CompiledQuery | null {
    const scopes = this.#scopes
    if (scopes === null || !this.isRaised) return null
    const values = this.#names.flatMap((name) => {
      const seen = scopes.seen(name, `connector ${this.#parts.name}`)
      return typeof seen === 'string' ? [seen, ''] : ['', seen ? 'on' : '']
    })
    return CompiledQuery.raw(this.#text, values)
  }

  /** Lets a migration see all rows, and frees columns that are fenced no more. @param db its transaction */
  async lift(db: Kysely<unknown>, { lockSchema }: Pick<SqlEngine, 'lockSchema'>): Promise<void> {
    if (!this.#parts.rowSecurity) return
    // An instance that starts meanwhile makes policies too.
    await lockSchema(db)
    await removePolicies(db, await leftOver(db, this.#tables))
    if (this.isRaised) await this.#showAll(db)
  }

  /** Removes the policy that holds on to a column, which a migration drops on its way back. */
  async free(db: Kysely<unknown>, table: string, column: string): Promise<void> {
    if (!this.isRaised) return
    const fenced = this.#tables.filter((each) => each.table === table && each.column === column)
    if (fenced.length > 0) await removePolicies(db, await foundOf(db, fenced))
  }

  /** Runs work that sees all rows, in a transaction where there is a fence. */
  lifted<T>(db: Kysely<unknown>, work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
    if (!this.isRaised) return work(db)
    return db.transaction().execute(async (tx) => {
      await this.#showAll(tx)
      return work(tx)
    })
  }

  async #showAll(db: Kysely<unknown>): Promise<void> {
    const all = this.#names.flatMap(() => ['', 'on'])
    await db.executeQuery(CompiledQuery.raw(this.#text, all))
  }

  /** Makes the policies of tables that migrations have made. @param db the transaction of the last one */
  async complete(db: Kysely<unknown>): Promise<void> {
    if (this.isRaised) await raisePolicies(db, await withColumn(db, this.#tables))
  }

  /** Makes the policies that are missing. @throws BootError (SVC_SQLORM_ROW_SECURITY) where they would hold nothing back */
  async raise(db: Kysely<unknown>, engine: Pick<SqlEngine, 'name' | 'lockSchema'>): Promise<void> {
    if (engine.name !== 'postgres') return
    const { name, rowSecurity } = this.#parts
    if (this.#tables.length > 0) await refuseBypass(db, name, rowSecurity, this.#tables)
    if (!rowSecurity) return
    await db.transaction().execute(async (tx) => {
      await engine.lockSchema(tx)
      await removePolicies(tx, await leftOver(tx, this.#tables))
      await raisePolicies(tx, this.#tables)
    })
  }
}
