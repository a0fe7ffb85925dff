/**
 * An entity without its hidden fields: to criteria, orders and selections they are unknown, and no row that is read by it has
 * them. Pure.
 */
import { type CompiledEntity, isShown } from './compiled-entity.ts'

const parts = new WeakMap<CompiledEntity, CompiledEntity>()

/** The part of an entity that is shown, made once. */
export function shownEntity(entity: CompiledEntity): CompiledEntity {
  const known = parts.get(entity)
  if (known !== undefined) return known
  const fields = [...entity.fields].filter(([, field]) => isShown(field))
  const without = [...entity.fields.values()].filter((field) => !isShown(field)).map(({ name }) => name)
  const part: CompiledEntity = { ...entity, fields: new Map(fields), part: { of: entity, without } }
  parts.set(entity, part)
  return part
}
