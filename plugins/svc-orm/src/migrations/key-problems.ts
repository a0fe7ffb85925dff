/** Keys that no migration changes: rows are found by them, in other tables and outside of the database. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { Problem } from 'svc-kernel'
import type { RenameHints, SchemaShape } from './entity-shape.ts'
import { withoutNarrowing } from './migrated-column.ts'

export function keyChangeProblems(before: SchemaShape, after: SchemaShape, hints: RenameHints): Problem[] {
  return Object.entries(after).flatMap(([entity, { key = ['id'], columns }]) => {
    const old = before[entity] ?? before[hints.entities[entity] ?? entity]
    if (old === undefined) return []
    const was = (name: string) => {
      const former = hints.columns[entity]?.[name]
      return former !== undefined && old.columns.some((column) => column.name === former) ? former : name
    }
    const { key: oldKey = ['id'] } = old
    if (!isDeepStrictEqual(key.map(was), oldKey)) {
      const message = `${entity} has the key ${oldKey.join(', ')} in the database, and ${key.join(', ')} in its definition`
      const fix = 'declare an entity with another name, copy the rows in a migration, then remove this one'
      return [{ code: 'SVC_ORM_MIGRATION_KEY', message: `${message}; nothing was written`, fix }]
    }
    if (key.length === 1) return []
    return key.flatMap((name) => {
      const from = old.columns.find((column) => column.name === was(name))
      const to = columns.find((column) => column.name === name)
      if (from === undefined || to === undefined) return []
      const stored = { ...withoutNarrowing(from), name }
      if (isDeepStrictEqual(stored, withoutNarrowing(to))) return []
      const message = `${entity}.${name} is part of the key, and a migration changes neither its type nor its default`
      const fix = 'restore the field, or declare an entity with another name and copy the rows'
      return [{ code: 'SVC_ORM_MIGRATION_KEY', message: `${message}; nothing was written`, fix }]
    })
  })
}
