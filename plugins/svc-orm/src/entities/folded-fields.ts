/**
 * Fields that an index folds: equal in any case, and in every alphabet alike. Databases fold ASCII only, or by a locale; so the
 * folded text is a column of its own, which is written with the field. Rows do not show it. Pure.
 */
import type { ColumnPlan } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from './compiled-entity.ts'
import type { IndexDefinition } from './entity-definition.ts'

interface FoldedField {
  readonly field: string
  /** The column with its folded text. */
  readonly copy: string
}

export function fieldNames({ fields }: IndexDefinition): readonly string[] {
  return fields.map((each) => (typeof each === 'string' ? each : each.field))
}

/** Those that one of these indexes folds. */
export function foldedNames(indexes: readonly IndexDefinition[]): ReadonlySet<string> {
  const all = indexes.flatMap(({ fields }) => fields)
  return new Set(all.flatMap((each) => (typeof each !== 'string' && each.fold === true ? [each.field] : [])))
}

export function foldedName(field: string): string {
  return `${field}Folded`
}

export function foldedFields({ fields }: CompiledEntity): readonly FoldedField[] {
  return [...fields.values()].flatMap(({ name, folded }) =>
    folded === undefined ? [] : [{ field: name, copy: folded }]
  )
}

/** A copy is null where its field is, and where it was never written. */
export function foldedColumn({ name, folded = foldedName(name), was }: CompiledField): ColumnPlan {
  const former = was === undefined ? {} : { was: foldedName(was) }
  return { name: folded, type: 'text', nullable: true, folds: name, ...former }
}
