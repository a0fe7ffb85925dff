/** Text of a caller cannot forge lines or colours in the log. */
import t from 'tap'
import { printable } from '../../src/journal/readable-error.ts'

const rows: Array<[given: string, shown: string]> = [
  ['alice', 'alice'],
  ['', ''],
  ['é 漢 🙂', 'é 漢 🙂'],
  ['a\r\nb', 'a\\u000d\\u000ab'],
  ['\u001b[31mred', '\\u001b[31mred'],
  ['nul\u0000', 'nul\\u0000'],
  ['\u0085\u2028\u2029', '\\u0085\\u2028\\u2029'],
  ['\u202eevil', '\\u202eevil'],
  ['x'.repeat(256), 'x'.repeat(256)],
  ['x'.repeat(257), `${'x'.repeat(253)}...`]
]

for (const [given, shown] of rows) {
  t.test(`shown as "${shown.slice(0, 20)}"`, (t) => {
    t.equal(printable(given), shown)
    t.end()
  })
}
