/** A table whose rows carry the folded text of some fields in columns of their own, as repositories see it: without these. */
import { type Change, fold, mergeRows, type Table } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { foldedFields } from '../entities/folded-fields.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { UniqueViolation } from '../errors.ts'

/** The column of each field that is folded. */
type Copies = ReadonlyMap<string, string>

/** The table itself where no index folds a field. */
export function foldedTable(table: Table<AnyRow>, entity: CompiledEntity): Table<AnyRow> {
  const folded = foldedFields(entity)
  return folded.length === 0 ? table : withoutCopies(table, new Map(folded.map(({ field, copy }) => [field, copy])))
}

function withoutCopies(table: Table<AnyRow>, copies: Copies): Table<AnyRow> {
  const names = [...copies.values()]
  const into = (row: AnyRow) => withCopies(row, copies)
  const changed = ({ set, ...change }: Change<AnyRow>): Change<AnyRow> =>
    set === undefined ? change : { ...change, set: withCopies(set, copies) }
  const out = <Row extends AnyRow | null>(row: Row): Row => {
    // It is the caller's own by contract.
    if (row !== null) for (const name of names) delete row[name]
    return row
  }
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
    put: async (row, { keep = [], ...options } = {}) => {
      const kept = [...keep, ...keep.flatMap((name) => copies.get(name) ?? [])]
      return out(await written(table.put(into(row), { ...options, keep: kept })))
    },
    merge: async (rows, { take, change, ...merge }) => {
      const folded = {
        ...merge,
        take: [...take, ...take.flatMap((name) => copies.get(name) ?? [])],
        ...(change !== undefined && { change: changed(change) })
      }
      return (await written(mergeRows(table, rows.map(into), folded))).map(out)
    },
    find: async (where, selection = {}) => {
      const without = [...(selection.without ?? []), ...names]
      return (await table.find(where, { ...selection, without })).map(out)
    },
    findOne: async (where) => out(await table.findOne(where)),
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
    within: (tx) => withoutCopies(table.within(tx), copies)
  }
}

/** Of fields that are given. */
function withCopies<Values extends object>(values: Values, copies: Copies): Values {
  const all: Record<string, unknown> = { ...(values as Readonly<Record<string, unknown>>) }
  for (const [field, copy] of copies) {
    const value = all[field]
    if (value !== undefined) all[copy] = typeof value === 'string' ? fold(value) : null
  }
  return all as Values
}

/** A violation names fields, as its caller has them. */
function refuse(error: unknown, copies: Copies): never {
  if (!(error instanceof UniqueViolation)) throw error
  const fieldOf = (column: string) => [...copies].find(([, copy]) => copy === column)?.[0] ?? column
  throw new UniqueViolation(error.entity, error.fields.map(fieldOf))
}
