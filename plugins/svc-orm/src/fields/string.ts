/** `string`: text that every database keeps. */

import { hasOnlyStorableText } from 'svc-stores/table'
import { toText } from './conversions.ts'
import { type FieldTypeDefinition, scalar } from './field-type.ts'

export const stringType: FieldTypeDefinition = {
  name: 'string',
  storage: 'text',
  takes: ['maxLength', 'minLength', 'pattern'],
  can: { ...scalar, search: true },
  from: toText,
  read: (given) => (typeof given === 'string' && hasOnlyStorableText(given) ? given : undefined),
  expected: () => 'text without NUL or lone surrogates',
  schema: () => ({ type: 'string' }),
  dbml: ({ maxLength }) => (maxLength ? `varchar(${maxLength})` : 'varchar')
}
