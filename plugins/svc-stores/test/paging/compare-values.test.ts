/** The order of values, against the order of UTF-8 bytes. */
import t from 'tap'
import { compareText, compareValues } from '../../src/paging/compare-values.ts'

t.test('text is ordered by code point, as UTF-8 bytes are', async (t) => {
  const texts = [
    '',
    'A',
    'Z',
    'a',
    'ab',
    'b',
    'z',
    'é',
    'Ω',
    '\ud7ff',
    '\ue000',
    '\uffee',
    '😀',
    '😀a',
    '🙂',
    '\u{10ffff}'
  ]
  for (const [left, a] of texts.entries()) {
    for (const [right, b] of texts.entries()) {
      t.equal(Math.sign(compareText(a, b)), Math.sign(left - right), `${JSON.stringify(a)} and ${JSON.stringify(b)}`)
      t.equal(Math.sign(compareText(a, b)), Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))))
    }
  }
})

t.test('numbers by value, false before true', async (t) => {
  t.ok(compareValues(9, 10) < 0)
  t.ok(compareValues(false, true) < 0)
  t.equal(compareValues(true, true), 0)
})
