/** Ranges and conditions of RFC 9110, as tables. */
import t from 'tap'
import { readRange } from '../../src/downloads/byte-range.ts'
import { judgeConditions, rangeHolds } from '../../src/downloads/conditions.ts'

t.test('a range of a file of ten bytes', async (t) => {
  const none = 'unsatisfiable'
  const cases: readonly (readonly [string | undefined, readonly [number, number] | null | typeof none])[] = [
    ['bytes=0-3', [0, 3]],
    ['bytes=3-3', [3, 3]],
    ['bytes=5-', [5, 9]],
    ['bytes=-3', [7, 9]],
    ['bytes=-99', [0, 9]],
    ['bytes=8-99', [8, 9]],
    ['Bytes = 0-1', [0, 1]],
    ['bytes=10-', none],
    ['bytes=10-20', none],
    ['bytes=-0', none],
    ['bytes=99999999999999999999999-', none],
    ['bytes=5-2', null],
    ['bytes=0-1,4-5', null],
    ['bytes=-', null],
    ['bytes=a-b', null],
    ['bytes=+1-2', null],
    ['items=0-1', null],
    ['', null],
    [undefined, null]
  ]
  for (const [field, range] of cases) {
    const expected = Array.isArray(range) ? { start: range[0], end: range[1] } : range
    t.strictSame(readRange(field, 10), expected, String(field))
  }
  t.equal(readRange('bytes=0-', 0), none)
  t.equal(readRange('bytes=-5', 0), none)
})

const TAG = '"abc"'
const CHANGED = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT') + 500
const SAME = 'Wed, 21 Oct 2026 07:28:00 GMT'
const BEFORE = 'Wed, 21 Oct 2026 07:27:59 GMT'
const AFTER = 'Wed, 21 Oct 2026 07:28:01 GMT'
const validators = { tag: TAG, changedAt: CHANGED }

t.test('conditions', async (t) => {
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{}, 'send'],
    [{ 'if-none-match': TAG }, 'unchanged'],
    [{ 'if-none-match': `W/${TAG}` }, 'unchanged'],
    [{ 'if-none-match': '"x", "abc"' }, 'unchanged'],
    [{ 'if-none-match': '*' }, 'unchanged'],
    [{ 'if-none-match': '"x"' }, 'send'],
    [{ 'if-none-match': 'abc' }, 'send'],
    // A tag wins over a date.
    [{ 'if-none-match': '"x"', 'if-modified-since': AFTER }, 'send'],
    [{ 'if-modified-since': SAME }, 'unchanged'],
    [{ 'if-modified-since': AFTER }, 'unchanged'],
    [{ 'if-modified-since': BEFORE }, 'send'],
    [{ 'if-modified-since': 'yesterday' }, 'send'],
    [{ 'if-match': TAG }, 'send'],
    [{ 'if-match': '*' }, 'send'],
    [{ 'if-match': '"x"' }, 'failed'],
    [{ 'if-match': `W/${TAG}` }, 'failed'],
    [{ 'if-match': TAG, 'if-unmodified-since': BEFORE }, 'send'],
    [{ 'if-unmodified-since': SAME }, 'send'],
    [{ 'if-unmodified-since': BEFORE }, 'failed'],
    [{ 'if-match': '"x"', 'if-none-match': TAG }, 'failed'],
    [{ 'if-match': TAG, 'if-none-match': TAG }, 'unchanged']
  ]
  for (const [fields, verdict] of cases) t.equal(judgeConditions(fields, validators), verdict, JSON.stringify(fields))
})

t.test('If-Range', async (t) => {
  const cases: readonly (readonly [string | undefined, boolean])[] = [
    [undefined, true],
    [TAG, true],
    [`W/${TAG}`, false],
    ['"x"', false],
    [SAME, true],
    [BEFORE, false],
    [AFTER, false],
    ['nonsense', false]
  ]
  for (const [field, holds] of cases) t.equal(rangeHolds({ 'if-range': field }, validators), holds, String(field))
})
