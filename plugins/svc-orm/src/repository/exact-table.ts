/**
 * A table with exact numbers, as repositories see it: rows carry them as text, columns as units. Conditions and changes
 * are in units by then.
 */
import type { Group, Grouping, Measure, Table } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { exactText, unitsOf } from '../entities/exact-number.ts'
import type { AnyRow } from '../entities/row-of.ts'

/** Decimals by field; `null` where no field is exact. */
export function exactFields({ fields }: CompiledEntity): ReadonlyMap<string, number> | null {
  const exact = [...fields.values()].flatMap(({ name, scale }) => (scale === undefined ? [] : [[name, scale] as const]))
  return exact.length === 0 ? null : new Map(exact)
}

/** A row whose exact numbers are as columns hold them. */
export function inUnits(entity: CompiledEntity, row: AnyRow): AnyRow {
  const exact = exactFields(entity)
  return exact === null ? row : withUnits(exact, row)
}

export function exactTable(table: Table<AnyRow>, exact: ReadonlyMap<string, number>): Table<AnyRow> {
  const into = (row: AnyRow) => withUnits(exact, row)
  const out = <Row extends AnyRow | null>(row: Row): Row => {
    if (row === null) return row
    // It is the caller's own by contract.
    for (const [name, scale] of exact) if (typeof row[name] === 'bigint') row[name] = exactText(row[name], scale)
    return row
  }
  return {
    plan: table.plan,
    insert: (rows) => table.insert(rows.map(into)),
    insertNew: (rows) => table.insertNew(rows.map(into)),
    insertIfAbsent: async (row, columns) => out(await table.insertIfAbsent(into(row), columns)),
    put: async (row, options) => out(await table.put(into(row), options)),
    find: async (where, selection) => (await table.find(where, selection)).map(out),
    findOne: async (where) => out(await table.findOne(where)),
    count: (where) => table.count(where),
    exists: (where) => table.exists(where),
    counts: (where, parts) => table.counts(where, parts),
    group: async (where, grouping) =>
      (await table.group(where, grouping)).map((group) => shown(group, grouping, exact)),
    update: (where, change) => table.update(where, change),
    updateOne: async (where, change) => out(await table.updateOne(where, change)),
    delete: (where, atMost) => table.delete(where, atMost),
    deleteOne: async (where) => out(await table.deleteOne(where)),
    claim: async (where, change, limit, order) => (await table.claim(where, change, limit, order)).map(out),
    within: (tx) => exactTable(table.within(tx), exact)
  }
}

function withUnits(exact: ReadonlyMap<string, number>, row: AnyRow): AnyRow {
  const stored = { ...row }
  for (const [name, scale] of exact) if (typeof row[name] === 'string') stored[name] = unitsOf(row[name], scale)
  return stored
}

function shown(group: Group, { by, measures }: Grouping, exact: ReadonlyMap<string, number>): Group {
  const columns = [...by.map((name) => [name, name] as const), ...Object.entries(measures).flatMap(measuredColumn)]
  const values = columns.map(([name, column]) => {
    const [value, scale] = [group[name], exact.get(column)]
    if (scale === undefined || value === null) return [name, value] as const
    // What is no number of units is an average.
    return [name, typeof value === 'bigint' ? exactText(value, scale) : Number(value) / 10 ** scale] as const
  })
  return { ...group, ...Object.fromEntries(values) } as Group
}

function measuredColumn([name, measure]: [string, Measure]): (readonly [string, string])[] {
  return measure.of === 'count' ? [] : [[name, measure.column]]
}
