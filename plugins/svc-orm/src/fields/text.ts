/** `text`: long text, for generators and exports; else as `string`. */
import type { FieldTypeDefinition } from './field-type.ts'
import { stringType } from './string.ts'

export const textType: FieldTypeDefinition = {
  ...stringType,
  name: 'text',
  dbml: ({ maxLength }) => (maxLength ? `text(${maxLength})` : 'text')
}
