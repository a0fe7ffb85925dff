/** SQL patterns: every character but `%` and `_` stands for itself. */
import fc from 'fast-check'
import t from 'tap'
import { likePattern } from '../../src/table/like-pattern.ts'

/** As engines with Unicode text read it. */
const matches = (pattern: string, text: string) => new RegExp(likePattern(pattern), 'u').test(text)

const rows: [pattern: string, text: string, expected: boolean][] = [
  ['a', 'a', true],
  ['a', 'A', false],
  ['a', 'ab', false],
  ['a%', 'abc', true],
  ['%c', 'abc', true],
  ['%b%', 'abc', true],
  ['_', 'a', true],
  ['_', '', false],
  ['_', '\u{1F600}', true],
  ['__', '\u{1F600}', false],
  ['%', '', true],
  ['%', 'a\nb\u2028c', true],
  ['a', 'a\n', false],
  ['a_c', 'a\nc', true],
  ['10\\%', '10%', true],
  ['10\\%', '100', false],
  ['\\_', '_', true],
  ['\\_', 'a', false],
  ['\\\\', '\\', true],
  ['a\\bc', 'abc', true],
  ['.*', '.*', true],
  ['.*', 'ab', false],
  ['^$|?+()[]{}/', '^$|?+()[]{}/', true],
  ['%a%b%', 'xaxbx', true],
  ['%a%b%', 'xbxax', false],
  ['a%b%c', 'abbc', true],
  ['a%b%b', 'ab', false],
  ['%ab%ab', 'aabab', true],
  ['%_a%_b', 'xaxb', true],
  ['%%', 'a', true],
  [`${'%a'.repeat(40)}%b`, 'a'.repeat(2000), false],
  ['', '', true],
  ['', 'a', false]
]

for (const [pattern, text, expected] of rows) {
  t.test(`${shown(pattern)} ${expected ? 'matches' : 'does not match'} ${shown(text)}`, async (t) => {
    t.equal(matches(pattern, text), expected)
  })
}

/** Line separators would end the line of the report. */
function shown(text: string): string {
  if (text.length > 60) return `${text.length} characters`
  return JSON.stringify(text).replaceAll('\u2028', '(U+2028)')
}

t.test('any text matches itself once its wildcards are escaped', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      return matches(text.replace(/[\\%_]/g, '\\$&'), text)
    })
  )
})
