/**
 * A table whose rows carry the folded text or the words of some fields in columns of their own, as repositories see it: without
 * these.
 */
import { type Change, mergeRows, type Table } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { type TextCopy, textCopies } from '../entities/text-copies.ts'
import { UniqueViolation } from '../errors.ts'

type Copies = readonly TextCopy[]

/** The table itself where no field has a copy. */
export function foldedTable(table: Table<AnyRow>, entity: CompiledEntity): Table<AnyRow> {
  const copies = textCopies(entity)
  return copies.length === 0 ? table : withoutCopies(table, copies, entity.search !== undefined)
}

/** @param isLong copies may be as long as the row, and are not read */
function withoutCopies(table: Table<AnyRow>, copies: Copies, isLong: boolean): Table<AnyRow> {
  const names = copies.map(({ copy }) => copy)
  const into = (row: AnyRow) => withCopies(row, copies)
  const changed = ({ set, ...change }: Change<AnyRow>): Change<AnyRow> =>
    set === undefined ? change : { ...change, set: withCopies(set, copies) }
  const out = <Row extends AnyRow | null>(row: Row): Row => {
    // It is the caller's own by contract.
    if (row !== null) for (const name of names) delete row[name]
    return row
  }
  const copiesOf = (fields: readonly string[]) =>
    copies.filter(({ field }) => fields.includes(field)).map(({ copy }) => copy)
  const written = <T>(work: Promise<T>) => work.catch((error: unknown) => refuse(error, copies))
  return {
    plan: table.plan,
    async insert(rows) {
      const stored = rows.map(into)
      await written(table.insert(stored))
      // What a driver fills in is shown by the rows that it got.
      for (const [index, row] of rows.entries()) Object.assign(row, out(stored[index] as AnyRow))
    },
    insertNew: (rows) => written(table.insertNew(rows.map(into))),
    insertIfAbsent: async (row, columns) => out(await written(table.insertIfAbsent(into(row), columns))),
    put: async (row, { keep = [], change, ...options } = {}) => {
      const kept = [...keep, ...copiesOf(keep)]
      return out(
        await written(table.put(into(row), { ...options, ...(change && { change: changed(change) }), keep: kept }))
      )
    },
    merge: async (rows, { take, change, ...merge }) => {
      const folded = {
        ...merge,
        take: [...take, ...copiesOf(take)],
        ...(change !== undefined && { change: changed(change) })
      }
      return (await written(mergeRows(table, rows.map(into), folded))).map(out)
    },
    find: (where, selection = {}) =>
      table.find(where, { ...selection, without: [...(selection.without ?? []), ...names] }),
    findOne: isLong
      ? async (where) => (await table.find(where, { limit: 1, without: names }))[0] ?? null
      : async (where) => out(await table.findOne(where)),
    count: (where) => table.count(where),
    exists: (where) => table.exists(where),
    counts: (where, parts) => table.counts(where, parts),
    group: (where, grouping) => table.group(where, grouping),
    update: (where, change) => written(table.update(where, changed(change))),
    updateOne: async (where, change) => out(await written(table.updateOne(where, changed(change)))),
    delete: (where, atMost) => table.delete(where, atMost),
    deleteOne: async (where) => out(await table.deleteOne(where)),
    claim: async (where, change, limit, order) =>
      (await written(table.claim(where, changed(change), limit, order))).map(out),
    within: (tx) => withoutCopies(table.within(tx), copies, isLong)
  }
}

/** Of fields that are given. */
function withCopies<Values extends object>(values: Values, copies: Copies): Values {
  const all: Record<string, unknown> = { ...(values as Readonly<Record<string, unknown>>) }
  for (const { field, copy, make } of copies) if (all[field] !== undefined) all[copy] = make(all[field])
  return all as Values
}

/** A violation names fields, as its caller has them. */
function refuse(error: unknown, copies: Copies): never {
  if (!(error instanceof UniqueViolation)) throw error
  const fieldOf = (column: string) => copies.find(({ copy }) => copy === column)?.field ?? column
  throw new UniqueViolation(error.entity, error.fields.map(fieldOf))
}
