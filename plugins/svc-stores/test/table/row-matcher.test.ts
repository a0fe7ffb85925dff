/** What changes and orders mean in plain code: sums stay within their type, text is ordered by code point. */
import fc from 'fast-check'
import t from 'tap'
import { changedRow } from '../../src/table/change.ts'
import { compareHeld, compareText } from '../../src/table/compare-held.ts'
import type { TablePlan } from '../../src/table/table-plan.ts'

const plan: TablePlan = {
  name: 'meter',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'count', type: 'integer', nullable: true },
    { name: 'level', type: 'float', nullable: true }
  ]
}

interface Meter {
  id: string
  count?: number | null
  level?: number | null
}

const rows = [
  // field, held, delta, after; null: refused
  ['count', 1, 2, 3],
  ['count', null, -2, -2],
  ['count', Number.MAX_SAFE_INTEGER - 1, 1, Number.MAX_SAFE_INTEGER],
  ['count', Number.MAX_SAFE_INTEGER, 1, null],
  ['count', Number.MIN_SAFE_INTEGER, -1, null],
  ['level', Number.MAX_SAFE_INTEGER, 1, 2 ** 53],
  ['level', 1.7e308, 1.7e308, null],
  ['level', -1.7e308, -1.7e308, null]
] as const

for (const [field, held, delta, after] of rows) {
  t.test(`${field} ${held} + ${delta}: ${after ?? 'refused'}`, async (t) => {
    const change = () => changedRow<Meter>(plan, { id: 'a', [field]: held }, { add: { [field]: delta } })
    if (after === null) t.throws(change, { code: 'SVC_ORM_VALUE', statusCode: 400 })
    else t.equal(change()[field], after)
  })
}

t.test('text is ordered by the bytes of UTF-8', async () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
    maxLength: 4
  })
  fc.assert(
    fc.property(text, text, (a, b) => Math.sign(compareHeld(a, b)) === Buffer.compare(Buffer.from(a), Buffer.from(b))),
    { numRuns: 5000 }
  )
})

t.test('null is lowest, false before true, dates by time', async (t) => {
  t.ok(compareHeld(null, '') < 0)
  t.ok(compareHeld(-Infinity, null) > 0)
  t.equal(compareHeld(null, null), 0)
  t.ok(compareHeld(false, true) < 0)
  t.ok(compareHeld(new Date(1), new Date(2)) < 0)
  t.equal(compareHeld(new Date(1), new Date(1)), 0)
})

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
  t.ok(compareHeld(9, 10) < 0)
  t.ok(compareHeld(false, true) < 0)
  t.equal(compareHeld(true, true), 0)
})
