/** `boolean`: true or false, which have no order. */
import { type FieldTypeDefinition, scalar } from './field-type.ts'

export const booleanType: FieldTypeDefinition = {
  name: 'boolean',
  storage: 'boolean',
  takes: [],
  can: { ...scalar, order: false },
  read: (given) => (typeof given === 'boolean' ? given : undefined),
  expected: () => 'true or false',
  schema: () => ({ type: 'boolean' }),
  dbml: () => 'boolean'
}
