/** `id`: the id of another row. Which texts are ids, the database says. */
import { ofTexts, same } from './conversions.ts'
import { type FieldTypeDefinition, scalar } from './field-type.ts'
import { stringType } from './string.ts'

export const idType: FieldTypeDefinition = {
  ...stringType,
  name: 'id',
  storage: 'id',
  takes: [],
  can: scalar,
  from: { ...ofTexts(same), id: same, uuid: same },
  expected: () => 'an id',
  dbml: () => 'varchar'
}
