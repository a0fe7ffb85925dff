/** A field by the name a criterion or an order gives it; `id` is a field of every entity. Pure. */
import { UnknownCriteriaField } from '../errors.ts'
import type { CompiledEntity, CompiledField } from './compiled-entity.ts'

/** Never null, unique, and not among `fields`: drivers keep it as their key. */
export const idField: CompiledField = Object.freeze({
  name: 'id',
  type: 'id',
  array: false,
  nullable: false,
  unique: true,
  default: undefined,
  maxLength: null,
  managed: true
})

/** @throws UnknownCriteriaField */
export function fieldOf(entity: CompiledEntity, name: string): CompiledField {
  const field = name === 'id' ? idField : entity.fields.get(name)
  if (field !== undefined) return field
  throw new UnknownCriteriaField(printable(name), entity.name, ['id', ...entity.fields.keys()].join(', '))
}

/** Names come from callers: shown as they are, but for what a log could not bear. */
function printable(name: string): string {
  return JSON.stringify(name.slice(0, 100)).slice(1, -1)
}
