/** `money`: an amount with its currency, such as `12.50 EUR`. It has no order: amounts of two currencies have none. */
import { ofTexts, onlyText, same } from './conversions.ts'
import { type Conversion, type FieldSettings, type FieldTypeDefinition, scalar } from './field-type.ts'

const DIGITS = 15

/** The currency has the form of ISO 4217; which codes are in use changes over the years, so each of that form is taken. */
const FORM = /^(-?)(0|[1-9]\d{0,14})(?:\.(\d{1,18}))? ([A-Z]{3})$/

/** Of another scale: zeros at the end of its decimals say nothing. */
const withoutZeros: Conversion = (value) => String(value).replace(/(?:\.0+|(?<=\.\d*)0+)(?= )/, '')

export const moneyType: FieldTypeDefinition = {
  name: 'money',
  like: 'string',
  storage: 'text',
  takes: ['scale'],
  needs: 'scale',
  can: { ...scalar, order: false },
  narrow: true,
  from: { ...ofTexts(same), money: withoutZeros, json: onlyText },
  read: readMoney,
  expected: ({ scale = 0 }) =>
    `an amount with at most ${DIGITS} digits and ${scale} decimals, and its currency, such as ${readMoney('12 EUR', { scale })}`,
  schema: ({ scale = 0 }) => {
    const decimals = scale === 0 ? '' : `(\\.[0-9]{1,${scale}})?`
    return { type: 'string', pattern: `^-?(0|[1-9][0-9]{0,${DIGITS - 1}})${decimals} [A-Z]{3}$` }
  },
  dbml: () => 'varchar'
}

/** With all of its decimals, and without a sign before zero: equal amounts are equal text. */
function readMoney(given: unknown, { scale = 0 }: FieldSettings): string | undefined {
  const [, sign, whole, fraction = '', currency] = (typeof given === 'string' && FORM.exec(given)) || []
  if (whole === undefined || fraction.length > scale) return undefined
  const amount = scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`
  return `${/[1-9]/.test(amount) ? sign : ''}${amount} ${currency}`
}
