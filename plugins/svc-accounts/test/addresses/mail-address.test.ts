/** Addresses by a table: which form they take as a login name, and which are none. */
import t from 'tap'
import { readMailAddress } from '../../src/addresses/mail-address.ts'

const FORMS: ReadonlyArray<readonly [given: unknown, form: string | null]> = [
  ['ada@example.org', 'ada@example.org'],
  [' ada@example.org ', 'ada@example.org'],
  ['Ada@EXAMPLE.Org', 'Ada@example.org'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['a\u0308da@example.org', '\u00e4da@example.org'],
  ['ada+shop@example.org', 'ada+shop@example.org'],
  ['', null],
  ['ada', null],
  ['@example.org', null],
  ['ada@', null],
  ['<ada@example.org>', null],
  ['Ada <ada@example.org>', null],
  ['ada@example.org,eve@example.org', null],
  ['ada@example.org\nBcc: eve@example.org', null],
  ['ada@[127.0.0.1]', null],
  ['ada@127.0.0.1', null],
  [`${'a'.repeat(65)}@example.org`, null],
  [null, null],
  [{ address: 'ada@example.org' }, null]
]

for (const [given, form] of FORMS) {
  t.test(`${JSON.stringify(given)} is ${form ?? 'no address'}`, async (t) => {
    if (form === null) t.throws(() => readMailAddress(given), { code: 'SVC_ACCOUNTS_ADDRESS', statusCode: 400 })
    else t.equal(readMailAddress(given), form)
  })
}
