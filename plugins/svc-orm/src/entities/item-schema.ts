/** The schema of a value of a field, of a list that of an item, with all that its definition asks for. Pure. */
import type { CompiledField } from './compiled-entity.ts'

export function itemSchema(field: CompiledField): Readonly<Record<string, unknown>> {
  const { fieldType, maxLength, rule } = field
  return { ...(maxLength !== null && { maxLength }), ...fieldType.schema(field), ...rule?.schema }
}
