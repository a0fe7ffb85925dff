/** What a unique index refused, in the words of the entity. Pure. */
import { type CompiledEntity, UniqueViolation } from 'svc-orm'
import type { UniqueConstraint } from '../engines/failure.ts'
import { indexName } from '../schema/table-definition.ts'

export function uniqueViolation(entity: CompiledEntity, constraint: UniqueConstraint | null): Error {
  return new UniqueViolation(entity.name, fieldsOf(entity, constraint).join(', '))
}

function fieldsOf({ table, indexes }: CompiledEntity, constraint: UniqueConstraint | null): readonly string[] {
  if (constraint === null) return ['values']
  if ('columns' in constraint) return constraint.columns
  const index = indexes.find(({ fields, unique }) => indexName(table, { columns: fields, unique }) === constraint.name)
  return index?.fields ?? ['id']
}
