/** `float`: a finite number. */
import { numberIn, ofTexts, onlyNumber, same, unrounded } from './conversions.ts'
import { amount, type FieldTypeDefinition } from './field-type.ts'

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

export const floatType: FieldTypeDefinition = {
  name: 'float',
  storage: 'float',
  takes: ['min', 'max'],
  can: amount,
  // Adding 0 makes 0 of -0.
  from: {
    ...ofTexts(numberIn(NUMBER)),
    integer: same,
    float: same,
    bigint: unrounded,
    decimal: unrounded,
    boolean: (value) => Number(value),
    json: onlyNumber
  },
  read: (given) => (Number.isFinite(given) ? (given as number) + 0 : undefined),
  expected: () => 'a finite number',
  schema: () => ({ type: 'number' }),
  dbml: () => 'double'
}
