/**
 * A table as repositories see it on a connector that has entities with a scope: the one place where the condition of the
 * scope is added. Every operation of the port goes through it, so that a new one cannot forget it. Conditions reach through
 * relations into other tables, so the tables of all entities of the connector are seen so.
 */
import type { MaybePromise } from 'svc-kernel'
import {
  type Change,
  type Condition,
  conditionsOf,
  type Group,
  type Grouping,
  type IdForm,
  type Merge,
  mergeRows,
  type Order,
  type PutOptions,
  type Rewrite,
  rewriteConditions,
  rewriteCounted,
  rewriteOrder,
  rewriteReached,
  type Selection,
  type Table,
  type TablePlan,
  type Transaction,
  type Where
} from 'svc-stores/table'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidValue, UniqueViolation } from '../errors.ts'
import type { EntityScope, EntityScopes } from './entity-scopes.ts'

type Rows = Where<AnyRow>

export class ScopedTable implements Table<AnyRow> {
  readonly plan: TablePlan
  readonly #table: Table<AnyRow>
  readonly #scopes: EntityScopes
  readonly #ids: IdForm
  /** `null`: the table itself has none. */
  readonly #own: EntityScope | null
  /** Rows of other tables that a question reaches belong to the scope as well. */
  readonly #related: Rewrite

  constructor(table: Table<AnyRow>, own: EntityScope | null, scopes: EntityScopes, ids: IdForm) {
    this.plan = table.plan
    this.#table = table
    this.#own = own
    this.#related = { of: (other) => scopes.rewrite(other) }
    this.#scopes = scopes
    this.#ids = ids
  }

  async insert(rows: readonly AnyRow[]): Promise<void> {
    for (const row of rows) this.#stamp(row)
    await this.#written(this.#table.insert(rows))
  }

  async insertNew(rows: readonly AnyRow[]): Promise<number> {
    for (const row of rows) this.#stamp(row)
    return this.#written(this.#table.insertNew(rows))
  }

  async insertIfAbsent(row: AnyRow, columns: readonly string[]): Promise<AnyRow> {
    const own = this.#own
    if (own === null) return this.#table.insertIfAbsent(row, columns)
    this.#stamp(row)
    const standing = await this.#written(this.#table.insertIfAbsent(row, scopedKey(own, columns)), columns)
    // An id is unique across scopes.
    if (standing[own.field] !== row[own.field]) throw new UniqueViolation(own.entity, columns)
    return standing
  }

  /** A row of another scope is refused as by a guard. */
  async put(row: AnyRow, options: PutOptions<AnyRow> = {}): Promise<AnyRow | null> {
    this.#stamp(row)
    const own = this.#own
    const { guard, by } = options
    if (guard === undefined && own === null) return this.#table.put(row, options)
    const key = by === undefined || own === null ? by : scopedKey(own, by)
    const guarded = { ...options, guard: this.#where(guard ?? []), ...(key !== undefined && { by: key }) }
    const after = await this.#written(this.#table.put(row, guarded))
    if (after === null && own !== null && by?.includes('id') === true) await this.#refuseOther(own, row, by)
    return after
  }

  /** Rows of another scope stay as they are. */
  async merge(rows: readonly AnyRow[], merge: Merge<AnyRow>): Promise<AnyRow[]> {
    const own = this.#own
    if (merge.insert) for (const row of rows) this.#stamp(row)
    const by = own === null || !merge.insert ? merge.by : scopedKey(own, merge.by)
    return this.#written(mergeRows(this.#table, rows, { ...merge, by, guard: this.#where(merge.guard ?? []) }))
  }

  async find(where: Rows, selection: Selection<AnyRow> = {}): Promise<AnyRow[]> {
    const { order, counted } = selection
    return this.#table.find(this.#where(where), {
      ...selection,
      ...(order !== undefined && { order: rewriteOrder(order, this.#related) }),
      ...(counted !== undefined && { counted: rewriteCounted(counted, this.#related) })
    })
  }

  /** A row that its id names is looked at, as a statement with one condition more costs more. */
  findOne(where: Rows): MaybePromise<AnyRow | null> {
    const own = this.#own
    const conditions = this.#conditions(where)
    const [first] = conditions
    const isOnlyId = conditions.length === 1 && first !== undefined && isOfId(first)
    if (own === null || !(isOnlyId || conditions.some(isOfId))) return this.#table.findOne(this.#where(conditions))
    const scope = this.#scopes.value(own)
    const asked = isOnlyId ? conditions : rewriteConditions(conditions, this.#related)
    if (scope !== null && this.#table.findHolding !== undefined) return this.#table.findHolding(asked, own.field, scope)
    const found = this.#table.findOne(asked)
    if (scope === null) return found
    if (!(found instanceof Promise)) return ownRow(found as AnyRow | null, own, scope)
    return found.then((row: AnyRow | null) => ownRow(row, own, scope))
  }

  async count(where: Rows): Promise<number> {
    return this.#table.count(this.#where(where))
  }

  async exists(where: Rows): Promise<boolean> {
    return this.#table.exists(this.#where(where))
  }

  async counts<Name extends string>(where: Rows, parts: Readonly<Record<Name, Rows>>) {
    const scoped = Object.entries<Rows>(parts).map(([name, part]) => {
      return [name, rewriteConditions(this.#conditions(part), this.#related)]
    })
    return this.#table.counts<Name>(this.#where(where), Object.fromEntries(scoped))
  }

  async group(where: Rows, grouping: Grouping): Promise<Group[]> {
    const measures = Object.entries(grouping.measures).map(([name, { where: among, ...measure }]) => [
      name,
      { ...measure, ...(among !== undefined && { where: rewriteConditions(among, this.#related) }) }
    ])
    const reached = Object.entries(grouping.reached ?? {}).map(([name, by]) => [
      name,
      rewriteReached(by, this.#related)
    ])
    return this.#table.group(this.#where(where), {
      ...grouping,
      ...(reached.length > 0 && { reached: Object.fromEntries(reached) }),
      measures: Object.fromEntries(measures)
    })
  }

  async update(where: Rows, change: Change<AnyRow>): Promise<number> {
    return this.#written(this.#table.update(this.#where(where), change))
  }

  async updateOne(where: Rows, change: Change<AnyRow>): Promise<AnyRow | null> {
    return this.#written(this.#table.updateOne(this.#where(where), change))
  }

  async delete(where: Rows, atMost?: number): Promise<number> {
    return this.#table.delete(this.#where(where), atMost)
  }

  async deleteOne(where: Rows): Promise<AnyRow | null> {
    return this.#table.deleteOne(this.#where(where))
  }

  async claim(where: Rows, change: Change<AnyRow>, limit: number, order?: Order): Promise<AnyRow[]> {
    return this.#written(this.#table.claim(this.#where(where), change, limit, order))
  }

  within(tx: Transaction): ScopedTable {
    return new ScopedTable(this.#table.within(tx), this.#own, this.#scopes, this.#ids)
  }

  /** @throws NoScope */
  #where(where: Rows): readonly Condition[] {
    const conditions = rewriteConditions(this.#conditions(where), this.#related)
    const own = this.#own === null ? null : this.#scopes.condition(this.#own)
    return own === null ? conditions : [...conditions, own]
  }

  #conditions(where: Rows): readonly Condition[] {
    return conditionsOf(this.plan, where, this.#ids)
  }

  /** @throws NoScope, InvalidValue for a row of another scope, and across scopes for one that names none */
  #stamp(row: AnyRow): void {
    if (this.#own === null) return
    const { field } = this.#own
    const scope = this.#scopes.value(this.#own)
    const given: unknown = row[field] ?? null
    if (scope === null) {
      if (given === null) throw new InvalidValue(field, 'a value, because the call runs across scopes')
    } else if (given !== null && given !== scope) throw new InvalidValue(field, 'the scope of the caller, or no value')
    else row[field] = scope
  }

  /** An id is unique across scopes. @throws UniqueViolation */
  async #refuseOther({ entity, field }: EntityScope, row: AnyRow, by: readonly string[]): Promise<void> {
    const held = await this.#table.findOne([{ field: 'id', operator: 'eq', value: row.id }])
    if (held !== null && held[field] !== row[field]) throw new UniqueViolation(entity, by)
  }

  /** Within a scope, what is unique is so by the fields of the caller. @param key where the database names none @throws UniqueViolation */
  #written<T>(work: Promise<T>, key: readonly string[] = []): Promise<T> {
    const own = this.#own
    if (own === null) return work
    return work.catch((error: unknown) => {
      if (!(error instanceof UniqueViolation)) throw error
      const { entity, fields } = error
      const named = fields.length === 0 ? key : fields.filter((name) => name !== own.field)
      throw new UniqueViolation(entity, named)
    })
  }
}

function ownRow(row: AnyRow | null, { field }: EntityScope, scope: string): AnyRow | null {
  return row === null || row[field] === scope ? row : null
}

function isOfId(condition: Condition): boolean {
  return condition.operator === 'eq' && condition.field === 'id'
}

/** What names one row in its scope; an id does so in all. */
function scopedKey({ field }: EntityScope, columns: readonly string[]): readonly string[] {
  return columns.includes('id') ? columns : [field, ...columns]
}
