/** Text from outside: credentials masked, lines not forgeable, length bounded, plain text untouched. */
import t from 'tap'
import { safeText } from '../../src/secrets/safe-text.ts'

const key = `svc_${'a1B2c3'.repeat(6)}`

const rows: [given: string, expected: string][] = [
  ['', ''],
  ['alice@example.org', 'alice@example.org'],
  ['Zoë 山田 👩‍👩‍👧', 'Zoë 山田 👩‍👩‍👧'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla/5.0 (X11; Linux x86_64)'],
  ['a\nb\r\u001b[31m', 'a\\u000ab\\u000d\\u001b[31m'],
  ['\u202egnirts\u2066', '\\u202egnirts\\u2066'],
  ['a\u2028b\u0085c\0', 'a\\u2028b\\u0085c\\u0000'],
  ['half \ud800', 'half \\ud800'],
  ['Bearer abc.def-123', '[redacted]'],
  ['said BASIC dXNlcjpwYXNz, twice', 'said [redacted], twice'],
  ['basic training', '[redacted]'],
  ['a bear', 'a bear'],
  ['whsec_c2VjcmV0c2VjcmV0', '[redacted]'],
  [`key ${key}!`, 'key [redacted]!'],
  [`${key}x`, `${key}x`],
  ['wh_dGhpcyBpcyBhbiBpZA', 'wh_dGhpcyBpcyBhbiBpZA'],
  ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2ln', '[redacted]'],
  ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.', '[redacted]'],
  ['x'.repeat(256), 'x'.repeat(256)],
  ['x'.repeat(257), `${'x'.repeat(253)}...`]
]

for (const [index, [given, expected]] of rows.entries()) {
  t.test(`text ${index}: ${given.replace(/[^a-z]/gi, '').slice(0, 20)}`, async (t) => {
    t.equal(safeText(given), expected)
  })
}

t.test('a credential is masked before the text is cut', async (t) => {
  t.notMatch(safeText(`${'x'.repeat(250)} Bearer ${'s'.repeat(50)}`), /sss/)
  t.notMatch(safeText(`${'x'.repeat(5000)} Bearer ${'s'.repeat(50)}`), /sss/)
})

t.test('what comes out has no control character, and stays as it is when it goes in again', async (t) => {
  let all = ''
  for (let code = 0; code < 0x3000; code += 1) all += String.fromCharCode(code)
  for (let at = 0; at < all.length; at += 200) {
    const safe = safeText(all.slice(at, at + 200), 1000)
    t.notMatch(safe, /[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
    t.equal(safeText(safe, 2000), safe)
  }
})

t.test('megabytes take no more time than kilobytes', async (t) => {
  const hostile = [
    'a_'.repeat(1e6),
    'bearer '.repeat(3e5),
    'eyJaaaa.'.repeat(3e5),
    'whsec_'.repeat(3e5),
    `${'a'.repeat(2e6)}_`
  ]
  for (const text of hostile) t.ok(safeText(text).length <= 256 * 6)
})
