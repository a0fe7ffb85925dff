/** The field that a criterion, an order or a selection names. Pure. */
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { UnknownCriteriaField } from '../errors.ts'

/** @throws UnknownCriteriaField */
export function fieldOf(entity: CompiledEntity, name: string): CompiledField {
  const field = name === 'id' ? entity.id : entity.fields.get(name)
  if (field !== undefined) return field
  // Names come from callers: shown as they are, but for what a log could not bear.
  const printable = JSON.stringify(name.slice(0, 100)).slice(1, -1)
  throw new UnknownCriteriaField(printable, entity.name, ['id', ...entity.fields.keys()].join(', '))
}
