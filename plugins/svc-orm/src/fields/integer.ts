/** `integer`: an integer that a number of JavaScript holds exactly. */
import { numberIn, ofTexts, onlyNumber, same, unrounded } from './conversions.ts'
import { amount, type FieldTypeDefinition } from './field-type.ts'

const DIGITS = /^-?(?:0|[1-9]\d*)$/

export const integerType: FieldTypeDefinition = {
  name: 'integer',
  storage: 'integer',
  takes: ['min', 'max'],
  can: amount,
  // Adding 0 makes 0 of -0.
  from: {
    ...ofTexts(numberIn(DIGITS)),
    integer: same,
    float: same,
    bigint: unrounded,
    decimal: unrounded,
    boolean: (value) => Number(value),
    date: (value) => (value as Date).getTime(),
    json: onlyNumber
  },
  read: (given) => (Number.isSafeInteger(given) ? (given as number) + 0 : undefined),
  expected: () => 'a safe integer',
  schema: () => ({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  dbml: () => 'bigint'
}
