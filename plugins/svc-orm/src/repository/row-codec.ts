/**
 * A table as repositories see it, where rows carry what columns hold in another form: exact numbers as text, which are
 * units in the column, bytes as `Bytes`, types of an application's own. Conditions and changes are of columns by then.
 */
import { type Group, type Grouping, type Measure, mergeRows, type Table } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { rowValueOf, storedValueOf } from '../entities/field-values.ts'
import type { AnyRow } from '../entities/row-of.ts'

/** The fields that rows carry in another form. */
export type RowCodec = readonly CompiledField[]

/** `null` where rows carry what columns hold. */
export function rowCodec({ fields }: CompiledEntity): RowCodec | null {
  const coded = [...fields.values()].filter(({ fieldType }) => fieldType.fromStored !== undefined)
  return coded.length === 0 ? null : coded
}

/** A copy of a row, as columns hold it. */
export function storedRow(entity: CompiledEntity, row: AnyRow): AnyRow {
  const codec = rowCodec(entity)
  return codec === null ? { ...row } : asStored(codec, row)
}

export function codedTable(table: Table<AnyRow>, codec: RowCodec): Table<AnyRow> {
  const into = (row: AnyRow) => asStored(codec, row)
  const out = <Row extends AnyRow | null>(row: Row): Row => {
    if (row === null) return row
    // It is the caller's own by contract.
    for (const field of codec) if (Object.hasOwn(row, field.name)) row[field.name] = rowValueOf(field, row[field.name])
    return row
  }
  return {
    plan: table.plan,
    async insert(rows) {
      const stored = rows.map(into)
      await table.insert(stored)
      // What a driver fills in is shown by the rows that it got.
      for (const [index, row] of rows.entries()) Object.assign(row, out(stored[index] as AnyRow))
    },
    insertNew: (rows) => table.insertNew(rows.map(into)),
    insertIfAbsent: async (row, columns) => out(await table.insertIfAbsent(into(row), columns)),
    put: async (row, options) => out(await table.put(into(row), options)),
    merge: async (rows, merge) => (await mergeRows(table, rows.map(into), merge)).map(out),
    find: async (where, selection) => (await table.find(where, selection)).map(out),
    findOne: async (where) => out(await table.findOne(where)),
    count: (where) => table.count(where),
    exists: (where) => table.exists(where),
    counts: (where, parts) => table.counts(where, parts),
    group: async (where, grouping) =>
      (await table.group(where, grouping)).map((group) => shown(group, grouping, codec)),
    update: (where, change) => table.update(where, change),
    updateOne: async (where, change) => out(await table.updateOne(where, change)),
    delete: (where, atMost) => table.delete(where, atMost),
    deleteOne: async (where) => out(await table.deleteOne(where)),
    claim: async (where, change, limit, order) => (await table.claim(where, change, limit, order)).map(out),
    within: (tx) => codedTable(table.within(tx), codec)
  }
}

function asStored(codec: RowCodec, row: AnyRow): AnyRow {
  const stored = { ...row }
  for (const field of codec)
    if (Object.hasOwn(row, field.name)) stored[field.name] = storedValueOf(field, row[field.name])
  return stored
}

function shown(group: Group, { by, parts = {}, measures }: Grouping, codec: RowCodec): Group {
  const columns = by.filter((name) => !Object.hasOwn(parts, name))
  const values = columns.map((name) => [name, as(fieldNamed(codec, name), group[name])] as const)
  const measured = Object.entries(measures).map(([name, measure]) => [name, asMeasured(codec, measure, group[name])])
  return { ...group, ...Object.fromEntries([...values, ...measured]) } as Group
}

function fieldNamed(codec: RowCodec, name: string): CompiledField | undefined {
  return codec.find((field) => field.name === name)
}

function as(field: CompiledField | undefined, value: unknown): unknown {
  return field === undefined ? value : rowValueOf(field, value)
}

/** An average is a number, of exact numbers in their units; so is a sum that is kept in no units. */
function asMeasured(codec: RowCodec, measure: Measure, value: unknown): unknown {
  const isNumber = measure.of === 'count' || measure.of === 'countDistinct'
  const field = isNumber ? undefined : fieldNamed(codec, measure.column)
  if (field === undefined || value === null) return value
  const isExact = field.fieldType.storage === 'bigint'
  if (measure.of === 'avg') return isExact ? Number(value) / 10 ** (field.scale ?? 0) : value
  return measure.of === 'sum' && !isExact ? value : rowValueOf(field, value)
}
