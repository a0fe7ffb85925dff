/** `enum`: one of `values`. */
import { type FieldTypeDefinition, scalar } from './field-type.ts'

export const enumType: FieldTypeDefinition = {
  name: 'enum',
  storage: 'text',
  takes: ['values'],
  needs: 'values',
  can: scalar,
  read: (given, { values = [] }) => values.find((value) => value === given),
  expected: ({ values = [] }) => `one of ${values.join(', ')}`,
  schema: ({ values }) => ({ type: 'string', ...(values !== undefined && { enum: values }) }),
  dbml: () => 'varchar'
}
