/**
 * A table of an entity with a tree, as repositories see it: writes that would break the tree are refused. What names no row
 * above is written as it comes.
 */
import {
  type Change,
  type Condition,
  type ConditionValue,
  conditionsOf,
  type Database,
  runOperation,
  type Selection,
  type Table,
  type Transaction,
  type Where
} from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { checkedTransactions } from '../references/deferred-checks.ts'
import { TreeChecks } from './tree-checks.ts'

/** A row that moves is checked and written in one transaction. */
export type TreeDatabase = Pick<Database, 'ids' | 'references' | 'transaction' | 'transactions'>

/** @returns the table itself where the entity has no tree */
export function treeTable(table: Table<AnyRow>, entity: CompiledEntity, database: TreeDatabase): Table<AnyRow> {
  return entity.tree === undefined ? table : guarded(table, new TreeChecks(entity), database, null)
}

function guarded(
  table: Table<AnyRow>,
  checks: TreeChecks,
  database: TreeDatabase,
  tx: Transaction | null
): Table<AnyRow> {
  const read = (where: Where<AnyRow>) => conditionsOf(table.plan, where, database.ids)
  /** As any operation that fails, a refusal dooms its transaction. */
  const assertNew = (rows: readonly AnyRow[]): Promise<void> => {
    const check = () => checks.assertNew(table, rows)
    return tx === null ? check() : runOperation(tx, check)
  }
  /** @param first which of the rows are changed; `null`: all */
  const changing = <T>(
    where: Where<AnyRow>,
    values: Change<AnyRow>['set'],
    first: Selection<AnyRow> | null,
    write: (inner: Table<AnyRow>, where: Where<AnyRow>) => Promise<T>
  ): Promise<T> => {
    const to = checks.named(values)
    if (to === null) return write(table, where)
    const work = async (inner: Table<AnyRow>, locks: boolean): Promise<T> => {
      const rows = first === null ? read(where) : await checks.first(inner, read(where), first)
      await checks.assertMove(inner, rows, to, locks)
      return write(inner, rows)
    }
    if (tx !== null) return runOperation(tx, () => work(table, true))
    if (database.transactions === false) return work(table, false)
    return checkedTransactions(database).transaction((open) => work(table.within(open), true))
  }
  return {
    plan: table.plan,
    async insert(rows) {
      await assertNew(rows)
      return table.insert(rows)
    },
    async insertNew(rows) {
      await assertNew(rows)
      return table.insertNew(rows)
    },
    async insertIfAbsent(row, columns) {
      const standing = checks.named(row) === null ? null : await table.findOne(held(row, columns))
      if (standing !== null) return standing
      await assertNew([row])
      return table.insertIfAbsent(row, columns)
    },
    async put(row, options = {}) {
      await assertNew([row])
      const { change, by = ['id'] } = options
      const values = change === undefined ? row : change.set
      return changing(held(row, by), values, null, (inner) => inner.put(row, options))
    },
    find: (where, selection) => table.find(where, selection),
    findOne: (where) => table.findOne(where),
    count: (where) => table.count(where),
    exists: (where) => table.exists(where),
    counts: (where, parts) => table.counts(where, parts),
    group: (where, grouping) => table.group(where, grouping),
    update: (where, change) => changing(where, change.set, null, (inner, rows) => inner.update(rows, change)),
    updateOne: (where, change) =>
      changing(where, change.set, { limit: 1 }, (inner, rows) => inner.updateOne(rows, change)),
    delete: (where, atMost) => table.delete(where, atMost),
    deleteOne: (where) => table.deleteOne(where),
    claim: (where, change, limit, order) => {
      const first = { limit, ...(order !== undefined && { order }) }
      return changing(where, change.set, first, (inner, rows) => inner.claim(rows, change, limit, order))
    },
    within: (inner) => guarded(table.within(inner), checks, database, inner)
  }
}

function held(row: AnyRow, columns: readonly string[]): readonly Condition[] {
  return columns.map((field) => ({ field, operator: 'eq', value: row[field] as ConditionValue }))
}
