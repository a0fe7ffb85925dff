/** Money by a table that was written by hand: one form for equal amounts, and a schema that takes what is read. */
import { Ajv } from 'ajv'
import t from 'tap'
import { moneyType } from '../../src/fields/money.ts'
import { conversion } from '../../src/migrations/convert-value.ts'

const REFUSED = undefined

const TABLE: readonly (readonly [scale: number, given: unknown, read: string | undefined])[] = [
  [2, '12.50 EUR', '12.50 EUR'],
  [2, '12.5 EUR', '12.50 EUR'],
  [2, '12 EUR', '12.00 EUR'],
  [2, '-0.05 USD', '-0.05 USD'],
  [2, '-0 USD', '0.00 USD'],
  [0, '1200 JPY', '1200 JPY'],
  [0, '-0 JPY', '0 JPY'],
  [3, '1.5 KWD', '1.500 KWD'],
  [18, '0.000000000000000001 XTS', '0.000000000000000001 XTS'],
  [2, '999999999999999.99 EUR', '999999999999999.99 EUR'],
  [2, '1000000000000000 EUR', REFUSED],
  [2, '12.505 EUR', REFUSED],
  [2, '12.500 EUR', REFUSED],
  [0, '12.0 JPY', REFUSED],
  [2, '012 EUR', REFUSED],
  [2, '+12 EUR', REFUSED],
  [2, '12. EUR', REFUSED],
  [2, '.5 EUR', REFUSED],
  [2, '12,50 EUR', REFUSED],
  [2, '1e3 EUR', REFUSED],
  [2, '12.50', REFUSED],
  [2, '12.50EUR', REFUSED],
  [2, '12.50  EUR', REFUSED],
  [2, '12.50 eur', REFUSED],
  [2, '12.50 EURO', REFUSED],
  [2, 'EUR 12.50', REFUSED],
  [2, '12.50 EUR\n', REFUSED],
  [2, '', REFUSED],
  [2, 12.5, REFUSED],
  [2, 12n, REFUSED],
  [2, null, REFUSED],
  [2, { amount: '12.50', currency: 'EUR' }, REFUSED]
]

t.test('an amount is read in one form, and what was read is read again as it is', async (t) => {
  for (const [scale, given, read] of TABLE) {
    t.equal(moneyType.read(given, { scale }), read, `${String(given)} with ${scale} decimals`)
    if (read !== undefined) t.equal(moneyType.read(read, { scale }), read, `${read} settles`)
  }
})

t.test('the JSON schema takes exactly the text that is read', async (t) => {
  const ajv = new Ajv()
  for (const [scale, given, read] of TABLE) {
    t.equal(ajv.validate(moneyType.schema({ scale }), given), read !== undefined, `${String(given)}`)
  }
})

t.test('a message shows an amount of the field', async (t) => {
  t.match(moneyType.expected({ scale: 2 }), '12.00 EUR')
  t.match(moneyType.expected({ scale: 0 }), '12 EUR')
})

t.test('a change of scale keeps each amount, and stops at one that would lose decimals', async (t) => {
  const column = (scale: number) => ({ name: 'cost', type: 'text', holds: 'money', scale }) as const
  const wider = conversion(column(2), column(4))
  const closer = conversion(column(4), column(2))
  const whole = conversion(column(2), { name: 'cost', type: 'text', holds: 'money' })
  t.equal(wider?.('12.50 EUR'), '12.5000 EUR')
  t.equal(closer?.('100.0500 EUR'), '100.05 EUR')
  t.equal(closer?.('0.0050 EUR'), undefined)
  t.equal(whole?.('1200.00 JPY'), '1200 JPY')
  t.equal(whole?.('1200.50 JPY'), undefined)
})
