/** The schema of a value of a field, of a list that of an item, with all that its definition asks for. Pure. */
import { fieldType } from '../fields/field-types.ts'
import type { CompiledField } from './compiled-entity.ts'

export function itemSchema(field: CompiledField): Readonly<Record<string, unknown>> {
  const { maxLength, rule } = field
  return { ...(maxLength !== null && { maxLength }), ...fieldType(field).schema(field), ...rule?.schema }
}
