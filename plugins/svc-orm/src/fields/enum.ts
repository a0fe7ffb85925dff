/** `enum`: one of `values`. */
import { toText } from './conversions.ts'
import { type FieldTypeDefinition, scalar } from './field-type.ts'

export const enumType: FieldTypeDefinition = {
  name: 'enum',
  storage: 'text',
  takes: ['values'],
  needs: 'values',
  can: scalar,
  from: toText,
  read: (given, { values = [] }) => values.find((value) => value === given),
  expected: ({ values = [] }) => `one of ${values.join(', ')}`,
  schema: ({ values }) => ({ type: 'string', ...(values !== undefined && { enum: values }) }),
  dbml: () => 'varchar'
}
