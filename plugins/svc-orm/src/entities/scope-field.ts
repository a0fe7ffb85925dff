/** The scope of an entity: the field that keeps it, and its place in indexes. Pure. */
import type { CompiledIndex } from './compiled-entity.ts'

/** `organization` is kept in `organizationId`. */
export function scopeOf(name: string): { readonly name: string; readonly field: string } {
  return { name, field: `${name}Id` }
}

/** What is unique is so within a scope, and every query names it: it comes first. */
export function inScope(scope: string | undefined, indexes: readonly CompiledIndex[]): readonly CompiledIndex[] {
  if (scope === undefined) return indexes
  const { field } = scopeOf(scope)
  const scoped = indexes.map((index) => {
    // A method has one field.
    if (index.method !== undefined) return index
    return { ...index, fields: [field, ...index.fields.filter((name) => name !== field)] }
  })
  return [{ fields: [field, 'id'], unique: false }, ...scoped]
}
