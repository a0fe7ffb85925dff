/** Copies of plain data, and what is no data. */
import t from 'tap'
import { copyJson } from '../../src/records/copy-json.ts'

t.test('a copy is equal and shares nothing', async (t) => {
  const given = JSON.parse('{"a":[1,{"b":null}],"__proto__":{"x":1},"t":true}')
  const copy = copyJson(given, 'f')
  t.equal(JSON.stringify(copy), JSON.stringify(given))
  t.not(copy.a, given.a)
  t.not(copy.a[1], given.a[1])
  t.equal(Object.getPrototypeOf(copy), Object.prototype)
  t.equal(copy.x, undefined, 'a key named __proto__ changes no prototype')
})

t.test('a key without a value is no key', async (t) => {
  t.strictSame(Object.keys(copyJson({ a: undefined, b: 1 }, 'f')), ['b'])
})

class Instance {}
const cyclic: unknown[] = []
cyclic.push(cyclic)

const refusedValues: [name: string, value: unknown][] = [
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['a date', new Date(0)],
  ['an instance', new Instance()],
  ['a map', new Map()],
  ['a buffer', Buffer.from('x')],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['a bigint', 1n],
  ['undefined', undefined],
  ['a hole', new Array(2)],
  ['a cycle', cyclic]
]

for (const [name, value] of refusedValues) {
  t.test(`refuses ${name}, wherever it is`, async (t) => {
    t.throws(() => copyJson(value, 'field'), { code: 'SVC_STORE_RECORD', statusCode: 400, message: /"field"/ })
    t.throws(() => copyJson({ deep: [{ er: [value] }] }, 'field'), { code: 'SVC_STORE_RECORD' })
  })
}
