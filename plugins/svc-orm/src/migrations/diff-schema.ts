/**
 * The steps from one schema to another. A name that goes and one that comes are two things, unless a hint says that they
 * are one: nothing is guessed, as a wrong guess would lose or mix up data. Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import { indexColumns } from 'svc-stores/table'
import { diffReferences } from './diff-references.ts'
import type { EntityShape, RenameHints, SchemaShape } from './entity-shape.ts'
import { withoutNarrowing } from './migrated-column.ts'
import type { MigratedColumn, MigratedIndex } from './migration.ts'
import { type Renamed, renamed } from './renames.ts'
import type { SchemaStep } from './schema-step.ts'

export function diffSchema(before: SchemaShape, after: SchemaShape, hints: RenameHints): SchemaStep[] {
  const renames = renamed(Object.keys(before), Object.keys(after), hints.entities)
  const cameFrom = (entity: string) => renames.find(({ to }) => to === entity)?.from ?? entity
  const isKept = (entity: string) => entity in after || renames.some(({ from }) => from === entity)
  const changed = Object.entries(after).flatMap(([entity, shape]) => {
    const old = before[cameFrom(entity)]
    if (old === undefined)
      return [{ kind: 'createTable', entity, shape: withFormerNames(entity, shape, hints) } as const]
    return diffEntity({ from: cameFrom(entity), to: entity }, old, shape, hints.columns[entity] ?? {})
  })
  const dropped = Object.entries(before)
    .filter(([entity]) => !isKept(entity))
    .map(([entity, shape]) => ({ kind: 'dropTable', entity, shape }) as const)
  const references = diffReferences(before, after, hints)
  // A name is free again before another table takes it; a table refers to others once all of them are there.
  return [
    ...references.dropped,
    ...dropped,
    ...changed.filter(isNoTable),
    ...changed.filter((step) => !isNoTable(step)),
    ...references.added
  ]
}

/** A migration may run where the name before is there: it carries that name, and makes nothing beside it. */
function withFormerNames(entity: string, shape: EntityShape, hints: RenameHints): EntityShape {
  const was = hints.entities[entity]
  const columns = shape.columns.map((column) => formerlyNamed(column, hints.columns[entity] ?? {}))
  return { ...(was !== undefined && { was }), ...shape, columns }
}

function formerlyNamed(
  column: MigratedColumn,
  hints: Readonly<Record<string, string>>
): MigratedColumn & { was?: string } {
  const was = hints[column.name]
  return was === undefined ? column : { ...column, was }
}

function isNoTable({ kind }: SchemaStep): boolean {
  return kind !== 'createTable'
}

function diffEntity(
  { from, to: entity }: Renamed,
  before: EntityShape,
  after: EntityShape,
  hints: Readonly<Record<string, string>>
): SchemaStep[] {
  const names = ({ columns }: EntityShape) => columns.map(({ name }) => name)
  const renames = renamed(names(before), names(after), hints)
  const nameNow = (name: string) => renames.find((each) => each.from === name)?.to ?? name
  const standing = before.columns.map((column) => ({
    ...column,
    name: nameNow(column.name),
    ...(column.folds !== undefined && { folds: nameNow(column.folds) })
  }))
  // What a field holds and the folded text of another are two things, whatever their names.
  const find = (columns: readonly MigratedColumn[], { name, folds }: MigratedColumn) =>
    columns.find((column) => column.name === name && column.folds === folds)

  const changed = after.columns.flatMap((to) => {
    const found = find(standing, to)
    if (found === undefined) return []
    const old = asTold(found, to)
    return isDeepStrictEqual(old, to) ? [] : [{ from: old, to }]
  })
  // The folded text of values that change is that of other values.
  const isStale = ({ folds }: MigratedColumn) => changed.some(({ to }) => to.name === folds)
  const added = after.columns.filter((column) => find(standing, column) === undefined || isStale(column))
  const dropped = standing.filter((column) => find(after.columns, column) === undefined || isStale(column))
  const add = (column: MigratedColumn) => ({ kind: 'addColumn', entity, column: formerlyNamed(column, hints) }) as const
  const drop = (column: MigratedColumn) => ({ kind: 'dropColumn', entity, column }) as const

  // An index is made anew where a name or a type in it changes: its own name is made of them.
  const restored = changed.filter(({ from, to }) => !isDeepStrictEqual(withoutNarrowing(from), withoutNarrowing(to)))
  const touched = new Set([
    ...renames.map(({ to }) => to),
    ...restored.map(({ to }) => to.name),
    ...after.columns.filter(isStale).map(({ name }) => name)
  ])
  const isTouched = (index: MigratedIndex) =>
    from !== entity || indexColumns(index).some((column) => touched.has(nameNow(column)))
  const same = (a: MigratedIndex, b: MigratedIndex) => isDeepStrictEqual(a, b)
  const stays = (index: MigratedIndex) => !isTouched(index) && after.indexes.some((wanted) => same(wanted, index))
  const kept = before.indexes.filter(stays)

  return [
    ...before.indexes
      .filter((index) => !stays(index))
      .map((index) => ({ kind: 'dropIndex', entity: from, index }) as const),
    ...(from === entity ? [] : [{ kind: 'renameTable', from, to: entity } as const]),
    ...renames.map((each) => ({ kind: 'renameColumn', entity, ...each }) as const),
    ...dropped.filter(isCopy).map(drop),
    ...added.filter(isField).map(add),
    ...changed.map((change) => ({ kind: 'changeColumn', entity, ...change }) as const),
    ...dropped.filter(isField).map(drop),
    ...added.filter(isCopy).map(add),
    ...after.indexes
      .filter((index) => !kept.some((standing) => same(standing, index)))
      .map((index) => ({ kind: 'addIndex', entity, index }) as const)
  ]
}

/**
 * A column of a snapshot, as far as it tells: one of an earlier version, or of a database, does not say what its field
 * holds, and that is no difference. Nor does one of a sealed field: it takes what the field was before, and its boxes.
 * Plain text is plain text, whatever its field calls it.
 */
function asTold(old: MigratedColumn, { type, holds, values, maxLength }: MigratedColumn): MigratedColumn {
  if (old.type !== type) return old
  if (holds === undefined) return type === 'text' ? withoutNarrowing(old) : old
  const told = { ...(values !== undefined && { values }), ...(maxLength !== undefined && { maxLength }) }
  // Rows took a default in capitals as it was: their values are none of a UUID as criteria read it.
  const isMisspelt = holds === 'uuid' && /[A-F]/.test(String(old.default ?? ''))
  if (old.holds === undefined) return isMisspelt ? old : { ...old, holds, ...told }
  return isText(old.holds) && isText(holds) ? { ...old, holds } : old
}

/** Of the folded text of a field: it goes before the field changes, and comes after. */
function isCopy({ folds }: MigratedColumn): boolean {
  return folds !== undefined
}

function isField({ folds }: MigratedColumn): boolean {
  return folds === undefined
}

function isText(holds: MigratedColumn['holds']): boolean {
  return holds === 'string' || holds === 'text'
}
