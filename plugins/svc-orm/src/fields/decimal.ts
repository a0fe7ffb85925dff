/** `decimal`: an exact number with `scale` decimals. Columns have its units, rows have text. */
import { toExact } from './conversions.ts'
import { exactText, unitsOf } from './exact-number.ts'
import { amount, type FieldTypeDefinition } from './field-type.ts'

/** Of a number of 64 bits. */
const DIGITS = 19

export const decimalType: FieldTypeDefinition = {
  name: 'decimal',
  storage: 'bigint',
  takes: ['scale', 'min', 'max'],
  needs: 'scale',
  can: amount,
  noList: 'a list cannot hold exact numbers',
  from: toExact,
  read: (given, { scale = 0 }) => unitsOf(given, scale),
  fromStored: (units, { scale = 0 }) => exactText(units as bigint, scale),
  expected: ({ scale = 0 }) => `a number with at most ${scale} decimals, as text, bigint or number, within 64 bits`,
  schema: ({ scale = 0 }) => {
    const decimals = scale === 0 ? '' : `(\\.[0-9]{1,${scale}})?`
    return { type: 'string', pattern: `^-?[0-9]{1,${DIGITS - scale}}${decimals}$` }
  },
  dbml: ({ scale = 0 }) => `decimal(${DIGITS}, ${scale})`
}
