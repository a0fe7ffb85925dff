/**
 * What a write must not make of a tree: a row below itself, or one that is deeper than a tree may be. Deleted rows and rows
 * of other scopes are part of it.
 */
import { TransactionConflict } from 'svc-stores'
import { type Condition, MOST_TREE_LEVELS, NOTHING, type Selection, type Table } from 'svc-stores/table'
import { treeCondition } from '../criteria/tree-criteria.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { TreeCycle, TreeTooDeep } from '../errors.ts'
import { among } from '../references/owners.ts'

type Where = readonly Condition[]

/** A path that others change while it is read. */
const ATTEMPTS = 5

export class TreeChecks {
  readonly #entity: CompiledEntity
  readonly #field: string
  /** A selection of what leads from row to row. */
  readonly #links: Pick<Selection<AnyRow>, 'without'>

  /** @param entity one with a tree */
  constructor(entity: CompiledEntity) {
    const { field } = entity.tree as NonNullable<CompiledEntity['tree']>
    this.#entity = entity
    this.#field = field
    const others = [...entity.fields.keys()].filter((name) => name !== field)
    this.#links = { without: others }
  }

  /** The row above that a write names; `null`: none. */
  named(values: Partial<AnyRow> | undefined): string | null {
    const given = values?.[this.#field] as unknown
    return typeof given === 'string' ? given : null
  }

  /** New rows, which may name each other. @throws TreeCycle, TreeTooDeep */
  async assertNew(table: Table<AnyRow>, rows: readonly AnyRow[]): Promise<void> {
    const above = new Map(rows.map((row) => [row.id, this.named(row)]))
    const others = new Set([...above.values()].filter((id) => id !== null && !above.has(id))) as ReadonlySet<string>
    for (const row of others.size === 0 ? [] : await table.find([this.#paths([...others])], this.#links))
      if (!above.has(row.id)) above.set(row.id, this.named(row))
    for (const { id } of rows) this.#assertPath(id, above)
  }

  /**
   * Rows that move below another one. Its path to the root is locked, so that of two moves that would close a circle
   * together one waits for the other, or runs again.
   *
   * @param table in a transaction, unless the database has none @throws TreeCycle, TreeTooDeep, TransactionConflict
   */
  async assertMove(table: Table<AnyRow>, where: Where, to: string, locks: boolean): Promise<void> {
    const path = locks ? await this.#lockedPath(table, where, to) : await this.#path(table, to)
    if (path.length > 0 && (await table.exists([...where, among('id', path)])))
      throw new TreeCycle(this.#entity.name, this.#field)
    const room = MOST_TREE_LEVELS - path.length - 1
    const within = (levels: number) => treeCondition(this.#entity, { direction: 'down', from: where, of: [], levels })
    const deeper: Where = room < 0 ? where : [within(room + 1), { operator: 'not', of: [within(room)] }]
    if (await table.exists(deeper)) throw this.#tooDeep()
  }

  /** Conditions of the first rows that meet these. Their locks are taken with that of the path. */
  async first(table: Table<AnyRow>, where: Where, selection: Selection<AnyRow>): Promise<Where> {
    const ids = (await table.find(where, { ...selection, ...this.#links })).map(({ id }) => id)
    return ids.length === 0 ? [NOTHING] : [...where, among('id', ids)]
  }

  #assertPath(id: string, above: ReadonlyMap<string, string | null>): void {
    const met = new Set<string>()
    for (let at: string | null = id; at !== null; at = above.get(at) ?? null) {
      if (met.has(at)) throw new TreeCycle(this.#entity.name, this.#field)
      if (met.size === MOST_TREE_LEVELS) throw this.#tooDeep()
      met.add(at)
    }
  }

  #paths(ids: readonly string[]): Condition {
    return treeCondition(this.#entity, { direction: 'up', from: [among('id', ids)], of: [] })
  }

  async #path(table: Table<AnyRow>, id: string): Promise<readonly string[]> {
    return (await table.find([this.#paths([id])], this.#links)).map((row) => row.id)
  }

  /**
   * The rows that move are locked with the path, in one order by id, so that moves at once wait for each other in a row. Where
   * each read sees what others have committed, a path that was read before its lock may be old.
   */
  async #lockedPath(table: Table<AnyRow>, where: Where, id: string): Promise<readonly string[]> {
    const touched: Condition = { operator: 'any', of: [[this.#paths([id])], where] }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const locked = new Set((await table.find([touched], { ...this.#links, lock: 'update' })).map((row) => row.id))
      const path = await this.#path(table, id)
      if (path.every((each) => locked.has(each))) return path
    }
    throw new TransactionConflict()
  }

  #tooDeep(): Error {
    return new TreeTooDeep(this.#entity.name, String(MOST_TREE_LEVELS))
  }
}
