/** `integer`: an integer that a number of JavaScript holds exactly. */
import { amount, type FieldTypeDefinition } from './field-type.ts'

export const integerType: FieldTypeDefinition = {
  name: 'integer',
  storage: 'integer',
  takes: ['min', 'max'],
  can: amount,
  // Adding 0 makes 0 of -0.
  read: (given) => (Number.isSafeInteger(given) ? (given as number) + 0 : undefined),
  expected: () => 'a safe integer',
  schema: () => ({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  dbml: () => 'bigint'
}
