/**
 * A table as repositories see it, where rows carry what columns hold in another form: exact numbers as text, which are units
 * in the column, and bytes as `Bytes`. Conditions and changes are in units by then.
 */
import type { Group, Grouping, Measure, Table } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { shownBytes } from '../fields/bytes.ts'
import { exactText, unitsOf } from '../fields/exact-number.ts'
import { fieldType } from '../fields/field-types.ts'

export interface RowCodec {
  /** Decimals of exact numbers, by field. */
  readonly exact: ReadonlyMap<string, number>
  readonly bytes: readonly string[]
}

/** `null` where rows carry what columns hold. */
export function rowCodec({ fields }: CompiledEntity): RowCodec | null {
  const all = [...fields.values()]
  const exact = new Map(
    all.filter((field) => fieldType(field).storage === 'bigint').map(({ name, scale = 0 }) => [name, scale])
  )
  const bytes = all.filter(({ type }) => type === 'bytes').map(({ name }) => name)
  return exact.size + bytes.length === 0 ? null : { exact, bytes }
}

/** A row whose exact numbers are as columns hold them. */
export function inUnits(entity: CompiledEntity, row: AnyRow): AnyRow {
  const codec = rowCodec(entity)
  return codec === null ? row : withUnits(codec, row)
}

export function codedTable(table: Table<AnyRow>, codec: RowCodec): Table<AnyRow> {
  const { exact, bytes } = codec
  const into = (row: AnyRow) => withUnits(codec, row)
  const out = <Row extends AnyRow | null>(row: Row): Row => {
    if (row === null) return row
    // It is the caller's own by contract.
    for (const [name, scale] of exact) if (typeof row[name] === 'bigint') row[name] = exactText(row[name], scale)
    for (const name of bytes) if (row[name] instanceof Uint8Array) row[name] = shownBytes(row[name])
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
    within: (tx) => codedTable(table.within(tx), codec)
  }
}

function withUnits({ exact }: RowCodec, row: AnyRow): AnyRow {
  if (exact.size === 0) return row
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
