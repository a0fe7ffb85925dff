/**
 * A table as repositories see it on a database that does not keep references: before rows are written, the rows that they
 * name have to be there. Inside a transaction those stay until it ends; outside of any, another caller may delete one
 * between the look and the write.
 */
import {
  type Change,
  type Condition,
  type ConditionValue,
  mergeRows,
  runOperation,
  type Table,
  type Transaction,
  type Where
} from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { ReferenceMissing } from '../errors.ts'
import { deferCheck } from './deferred-checks.ts'
import { checkAtEnd, type OwnerReference, type TableOf, withoutRow } from './owners.ts'

type Values = Readonly<Record<string, unknown>>

/** @returns the table itself where the entity has no reference that is kept */
export function checkedTable(table: Table<AnyRow>, entity: CompiledEntity, tableOf: TableOf): Table<AnyRow> {
  const owners = [...entity.relations.values()].flatMap((relation): OwnerReference[] =>
    relation.reference === undefined ? [] : [{ entity, relation, reference: relation.reference }]
  )
  return owners.length === 0 ? table : checked(table, owners, tableOf, null)
}

function checked(
  table: Table<AnyRow>,
  owners: readonly OwnerReference[],
  tableOf: TableOf,
  tx: Transaction | null
): Table<AnyRow> {
  const fault = async (rows: readonly Values[]): Promise<ReferenceMissing | null> => {
    for (const owner of owners) {
      const { entity, relation, reference } = owner
      const { field, target } = relation
      // Rows that are written together may name each other.
      const own = new Set(target === entity.name ? rows.map(({ id }) => id) : [])
      const held = rows.map((row) => row[field]).filter((id) => typeof id === 'string' && !own.has(id))
      const ids = [...new Set(held)] as string[]
      if (ids.length === 0) continue
      const atEnd = (of: Transaction) => () => checkAtEnd(owner, ids, tableOf, of)
      if (reference.deferrable && tx !== null && deferCheck(tx, atEnd(tx))) continue
      const missing = await withoutRow(target, ids, tableOf, tx)
      if (missing.length > 0) return new ReferenceMissing(entity.name, field)
    }
    return null
  }
  /** As any operation that fails, it dooms its transaction. */
  const refuse = (error: Error): Promise<never> => {
    const failing = () => Promise.reject(error)
    return tx === null ? failing() : runOperation(tx, failing)
  }
  const check = async (rows: readonly Values[]): Promise<void> => {
    const found = await fault(rows)
    if (found !== null) await refuse(found)
  }
  /** A change that reaches no row names nothing. */
  const checkChange = async ({ set }: Change<AnyRow>, where: Where<AnyRow>): Promise<void> => {
    const found = set === undefined ? null : await fault([set as Values])
    if (found !== null && (await table.exists(where))) await refuse(found)
  }
  return {
    plan: table.plan,
    async insert(rows) {
      await check(rows)
      return table.insert(rows)
    },
    async insertNew(rows) {
      await check(rows)
      return table.insertNew(rows)
    },
    async insertIfAbsent(row, columns) {
      const found = await fault([row])
      if (found === null) return table.insertIfAbsent(row, columns)
      const held = columns.map((field): Condition => ({ field, operator: 'eq', value: row[field] as ConditionValue }))
      const standing = await table.findOne(held)
      return standing ?? refuse(found)
    },
    async put(row, options) {
      await check(options?.change?.set === undefined ? [row] : [row, options.change.set])
      return table.put(row, options)
    },
    async merge(rows, merge) {
      await check(merge.change?.set === undefined ? rows : [...rows, merge.change.set])
      return mergeRows(table, rows, merge)
    },
    find: (where, selection) => table.find(where, selection),
    findOne: (where) => table.findOne(where),
    count: (where) => table.count(where),
    exists: (where) => table.exists(where),
    counts: (where, parts) => table.counts(where, parts),
    group: (where, grouping) => table.group(where, grouping),
    async update(where, change) {
      await checkChange(change, where)
      return table.update(where, change)
    },
    async updateOne(where, change) {
      await checkChange(change, where)
      return table.updateOne(where, change)
    },
    delete: (where, atMost) => table.delete(where, atMost),
    deleteOne: (where) => table.deleteOne(where),
    async claim(where, change, limit, order) {
      await checkChange(change, where)
      return table.claim(where, change, limit, order)
    },
    within: (inner) => checked(table.within(inner), owners, tableOf, inner)
  }
}
