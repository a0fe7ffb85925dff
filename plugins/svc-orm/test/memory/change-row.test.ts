/** Sums in memory stay within their type, as databases keep them. */
import t from 'tap'
import { compileEntities } from '../../src/entity/compile-entities.ts'
import { changeRow } from '../../src/memory/change-row.ts'

const definition = { name: 'Meter', schema: { count: { type: 'integer' }, level: { type: 'float' } } } as const
const fields = compileEntities([{ definition, place: null }], 'memory').entities[0]?.fields

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
    const none = new Map<string, never>()
    const changes = { set: none, max: none, min: none, add: new Map([[field, delta]]) }
    const change = () => changeRow({ id: 'a', [field]: held }, changes, fields ?? new Map())
    if (after === null) t.throws(change, { code: 'SVC_ORM_VALUE', statusCode: 400 })
    else t.equal(change()[field], after)
  })
}
