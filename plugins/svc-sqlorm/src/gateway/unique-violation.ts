/** What a unique index refused, in the words of the entity. Pure. */
import { type CompiledEntity, UniqueViolation } from 'svc-orm'
import type { FailedConstraint } from '../engines/failure.ts'
import { indexName } from '../schema/table-definition.ts'

export function uniqueViolation(entity: CompiledEntity, constraint: FailedConstraint | null): UniqueViolation {
  return new UniqueViolation(entity.name, constraint === null ? [] : fieldsOf(entity, constraint))
}

/** An index of somebody else may be over expressions, or over columns that are no fields: these are left out. */
function fieldsOf({ table, fields, indexes }: CompiledEntity, { name, columns }: FailedConstraint): readonly string[] {
  const own = indexes.find(
    (index) => index.unique && indexName(table, { columns: index.fields, unique: true }) === name
  )
  return own?.fields ?? columns.filter((column) => column === 'id' || fields.has(column))
}
