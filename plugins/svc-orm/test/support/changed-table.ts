/** Tables with a fault, for tests that prove that a suite finds it. */
import type { Table } from 'svc-stores/table'
import type { AnyRow } from '../../src/entities/row-of.ts'

export type Rows = Table<AnyRow>

/** A table with some operations of its own. */
export function changed(table: Rows, own: Partial<Rows>): Rows {
  const rest: Rows = {
    plan: table.plan,
    insert: (rows) => table.insert(rows),
    insertNew: (rows) => table.insertNew(rows),
    insertIfAbsent: (row, columns) => table.insertIfAbsent(row, columns),
    put: (row, options) => table.put(row, options),
    find: (where, selection) => table.find(where, selection),
    findOne: (where) => table.findOne(where),
    count: (where) => table.count(where),
    exists: (where) => table.exists(where),
    counts: (where, parts) => table.counts(where, parts),
    group: (where, grouping) => table.group(where, grouping),
    update: (where, change) => table.update(where, change),
    updateOne: (where, change) => table.updateOne(where, change),
    delete: (where, atMost) => table.delete(where, atMost),
    deleteOne: (where) => table.deleteOne(where),
    claim: (where, change, limit, order) => table.claim(where, change, limit, order),
    within: (tx) => changed(table.within(tx), own)
  }
  return { ...rest, ...own }
}
