/**
 * References that a schema keeps no more, and those that it keeps from now on. One whose rule changes is dropped and added;
 * one whose table or column is renamed stays as it is. One within a scope leans on an index of the other table, which is
 * made anew with that table's name: then the reference is as well. Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import type { EntityShape, RenameHints, SchemaShape } from './entity-shape.ts'
import type { MigratedReference } from './migration.ts'
import { renamed } from './renames.ts'
import type { SchemaStep } from './schema-step.ts'

interface Kept {
  readonly entity: string
  readonly reference: MigratedReference
}

export function diffReferences(
  before: SchemaShape,
  after: SchemaShape,
  hints: RenameHints
): { readonly dropped: readonly SchemaStep[]; readonly added: readonly SchemaStep[] } {
  const entities = renamed(Object.keys(before), Object.keys(after), hints.entities)
  const nameNow = (entity: string) => entities.find(({ from }) => from === entity)?.to ?? entity
  const wanted = kept(after)
  const standing = kept(before).map((old) => ({ old, now: asNamed(old, before, after, hints, nameNow) }))
  const stays = ({ old, now }: { readonly old: Kept; readonly now: Kept }, each: Kept) =>
    isDeepStrictEqual(now, each) && (now.reference.within === undefined || now.reference.to === old.reference.to)
  return {
    dropped: standing
      .filter((kept) => !wanted.some((each) => stays(kept, each)))
      .map(({ old }) => ({ kind: 'dropReference', ...old })),
    added: wanted
      .filter((each) => !standing.some((kept) => stays(kept, each)))
      .map((each) => ({ kind: 'addReference', ...each }))
  }
}

function kept(shape: SchemaShape): Kept[] {
  return Object.entries(shape).flatMap(([entity, { references = [] }]) =>
    references.map((reference) => ({ entity, reference }))
  )
}

/** Under the names of after. */
function asNamed(
  { entity, reference }: Kept,
  before: SchemaShape,
  after: SchemaShape,
  hints: RenameHints,
  nameNow: (entity: string) => string
): Kept {
  const now = nameNow(entity)
  const columns = ({ columns }: EntityShape) => columns.map(({ name }) => name)
  const [old, next] = [before[entity], after[now]]
  const renames =
    old === undefined || next === undefined ? [] : renamed(columns(old), columns(next), hints.columns[now] ?? {})
  const column = renames.find(({ from }) => from === reference.column)?.to ?? reference.column
  return { entity: now, reference: { ...reference, column, to: nameNow(reference.to) } }
}
