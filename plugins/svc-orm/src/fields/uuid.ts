/** `uuid`: a UUID (RFC 9562), in lower case. */
import { ofTexts, onlyText, same } from './conversions.ts'
import { type FieldTypeDefinition, scalar } from './field-type.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

export const uuidType: FieldTypeDefinition = {
  name: 'uuid',
  storage: 'text',
  takes: [],
  can: scalar,
  narrow: true,
  characters: 36,
  format: { name: 'uuid', expected: 'a UUID' },
  from: { ...ofTexts(same), id: same, uuid: same, json: onlyText },
  read: (given) => (typeof given === 'string' && UUID.test(given) ? given.toLowerCase() : undefined),
  expected: () => 'a UUID',
  schema: () => ({ type: 'string', format: 'uuid' }),
  dbml: () => 'uuid'
}
