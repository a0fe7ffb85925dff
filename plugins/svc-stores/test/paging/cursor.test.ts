/** Cursors: there and back, and nothing else. */
import t from 'tap'
import { decodeCursor, encodeCursor } from '../../src/paging/cursor.ts'

t.test('a cursor comes back as it was', async (t) => {
  for (const position of [
    { ts: 0, id: 'a' },
    { ts: 1_767_225_600_000, id: 'aud_-_09AZ' }
  ]) {
    t.strictSame(decodeCursor(encodeCursor(position)), position)
  }
})

t.test('anything else is refused', async (t) => {
  for (const cursor of [
    '',
    '1',
    ':a',
    '1:',
    '1:a:b',
    ' 1:a',
    '1:a\n',
    '0x1:a',
    '-1:a',
    `1${'0'.repeat(15)}:a`,
    'NaN:a'
  ]) {
    t.throws(() => decodeCursor(cursor), { code: 'SVC_STORE_PAGE' }, JSON.stringify(cursor))
  }
})
