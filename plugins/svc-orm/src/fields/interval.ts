/** `interval`: a duration such as `P1DT12H` (ISO 8601-1, 5.5.2), which has no order: a month has no fixed length. */
import { ofTexts, onlyText, same } from './conversions.ts'
import { type FieldTypeDefinition, scalar } from './field-type.ts'

/** Years to seconds, or weeks alone (RFC 3339, appendix A); the last part may have decimals of seconds. */
const FORM =
  /^P(?=.)(?:\d{1,9}W|(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}D)?(?:T(?=\d)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}(?:\.\d{1,9})?S)?)?)$/

export const intervalType: FieldTypeDefinition = {
  name: 'interval',
  like: 'string',
  storage: 'text',
  takes: [],
  can: { ...scalar, order: false },
  narrow: true,
  format: { name: 'duration', expected: 'a duration in ISO 8601, such as P1DT12H' },
  from: { ...ofTexts(same), interval: same, json: onlyText },
  read: (given) => (typeof given === 'string' && FORM.test(given) ? given : undefined),
  expected: () => 'a duration in ISO 8601, such as P1DT12H',
  schema: () => ({ type: 'string', format: 'duration' }),
  dbml: () => 'interval'
}
