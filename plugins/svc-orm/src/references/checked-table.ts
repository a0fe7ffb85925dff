/**
 * A table as repositories see it on a database that does not keep references: before rows are written, the rows that they
 * name have to be there. Inside a transaction those stay until it ends; outside of any, another caller may delete one
 * between the look and the write.
 */
import {
  all,
  type Change,
  type Condition,
  type ConditionValue,
  mergeInSteps,
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
import { checkAtEnd, namedRows, type OwnerReference, ofOtherScope, type TableOf } from './owners.ts'

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
  /** @param changed the rows that get these values; `null`: they are new */
  const fault = async (rows: readonly Values[], changed: Where<AnyRow> | null): Promise<ReferenceMissing | null> => {
    for (const owner of owners) {
      const { entity, relation, reference } = owner
      const { field, target } = relation
      const { within } = reference
      const naming = rows.filter((row) => typeof row[field] === 'string')
      // Rows that are written together may name each other.
      const own = new Map(target === entity.name ? rows.map((row) => [row.id, row]) : [])
      const ids = [...new Set(naming.map((row) => row[field] as string))].filter((id) => !own.has(id))
      const atEnd = (of: Transaction) => () => checkAtEnd(owner, ids, tableOf, of)
      const isLater = ids.length > 0 && reference.deferrable && tx !== null && deferCheck(tx, atEnd(tx))
      const there = ids.length === 0 || isLater ? null : await namedRows(owner, ids, tableOf, tx)
      const isRefused = naming.some((row) => {
        const id = row[field] as string
        const named = own.get(id) ?? there?.get(id)
        if (named === undefined) return there !== null
        return within !== undefined && changed === null && named[within] !== row[within]
      })
      if (isRefused || (await changesOthers(owner, there, changed))) return new ReferenceMissing(entity.name, field)
    }
    return null
  }
  /** Whether rows change that belong to another scope than the row that they are to name. */
  const changesOthers = async (
    { reference: { within } }: OwnerReference,
    there: ReadonlyMap<string, AnyRow> | null,
    changed: Where<AnyRow> | null
  ): Promise<boolean> => {
    const [named] = there?.values() ?? []
    if (within === undefined || named === undefined || changed === null) return false
    return table.exists(all<AnyRow>(changed, [ofOtherScope(within, named[within])]))
  }
  /** As any operation that fails, it dooms its transaction. */
  const refuse = (error: Error): Promise<never> => {
    const failing = () => Promise.reject(error)
    return tx === null ? failing() : runOperation(tx, failing)
  }
  const check = async (rows: readonly Values[], changed: Where<AnyRow> | null = null): Promise<void> => {
    const found = await fault(rows, changed)
    if (found !== null) await refuse(found)
  }
  /** A change that reaches no row names nothing. */
  const checkChange = async ({ set }: Change<AnyRow>, where: Where<AnyRow>): Promise<void> => {
    const found = set === undefined ? null : await fault([set as Values], where)
    if (found !== null && (await table.exists(where))) await refuse(found)
  }
  const isScoped = owners.some(({ reference }) => reference.within !== undefined)
  const itself: Table<AnyRow> = {
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
      const found = await fault([row], null)
      if (found === null) return table.insertIfAbsent(row, columns)
      const standing = await table.findOne(holding(row, columns))
      return standing ?? refuse(found)
    },
    async put(row, options) {
      const { change, by = ['id'] } = options ?? {}
      await check([row])
      if (change?.set !== undefined) await check([change.set], holding(row, by))
      return table.put(row, options)
    },
    async merge(rows, merge) {
      // Which scope an existing row belongs to, its own change finds out.
      if (isScoped) return mergeInSteps(itself, rows, merge)
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
  return itself
}

function holding(row: Values, columns: readonly string[]): readonly Condition[] {
  return columns.map((field) => ({ field, operator: 'eq', value: row[field] as ConditionValue }))
}
