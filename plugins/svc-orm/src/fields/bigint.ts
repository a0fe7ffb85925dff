/** `bigint`: an integer of 64 bits. Columns have its units, rows have text. */
import { toExact } from './conversions.ts'
import { exactText, unitsOf } from './exact-number.ts'
import { amount, type FieldTypeDefinition } from './field-type.ts'

export const bigintType: FieldTypeDefinition = {
  name: 'bigint',
  storage: 'bigint',
  takes: ['min', 'max'],
  can: amount,
  noList: 'a list cannot hold exact numbers',
  format: { name: 'int64', expected: 'an integer of 64 bits, as text' },
  // A column that says nothing of its field has decimals too.
  from: toExact,
  read: (given, { scale = 0 }) => unitsOf(given, scale),
  fromStored: (units, { scale = 0 }) => exactText(units as bigint, scale),
  expected: () => 'an integer of 64 bits, as text, bigint or number',
  schema: () => ({ type: 'string', format: 'int64' }),
  dbml: () => 'bigint'
}
