/** `boolean`: true or false, which have no order. */
import { ofTexts, same } from './conversions.ts'
import { type FieldTypeDefinition, scalar } from './field-type.ts'

export const booleanType: FieldTypeDefinition = {
  name: 'boolean',
  storage: 'boolean',
  takes: [],
  can: { ...scalar, order: false },
  from: {
    ...ofTexts((value) => (value === 'true' ? true : value === 'false' ? false : undefined)),
    boolean: same,
    integer: (value) => (value === 0 ? false : value === 1 ? true : undefined),
    json: (value) => (typeof value === 'boolean' ? value : undefined)
  },
  read: (given) => (typeof given === 'boolean' ? given : undefined),
  expected: () => 'true or false',
  schema: () => ({ type: 'boolean' }),
  dbml: () => 'boolean'
}
