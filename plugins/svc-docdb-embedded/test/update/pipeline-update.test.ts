/** Updates by a pipeline: exact numbers, fields that go, what is computed from the document before, and refusals. */
import { Decimal128, Double, Int32, Long } from 'bson'
import t from 'tap'
import { prepareUpdate } from '../../src/update/apply-update.ts'
import type { Value } from '../../src/values/value.ts'
import { documentOf } from '../support/documents.ts'

const decimal = (text: string) => Decimal128.fromString(text)
const WIDE = Long.fromString('9007199254740993')

function updated(before: object, stages: readonly object[]): Record<string, string> {
  const given = documentOf({ u: stages }).get('u') ?? null
  const { apply } = prepareUpdate(documentOf({}), given, [], new Date(0))
  return Object.fromEntries([...apply(documentOf(before))].map(([name, value]) => [name, shown(value)]))
}

function shown(value: Value): string {
  return typeof value === 'object' && value !== null && '_bsontype' in value
    ? `${value._bsontype} ${String(value)}`
    : JSON.stringify(value)
}

const rows: readonly (readonly [before: object, stages: readonly object[], after: Record<string, string>])[] = [
  [{ a: 1 }, [{ $set: { b: { $literal: '$a' } } }], { a: 'Int32 1', b: '"$a"' }],
  [{ a: 1, b: 2 }, [{ $set: { a: '$b', b: '$a' } }], { a: 'Int32 2', b: 'Int32 1' }],
  [{ a: 1, b: 2 }, [{ $set: { a: '$b' } }, { $set: { b: '$a' } }], { a: 'Int32 2', b: 'Int32 2' }],
  [{ a: 1, b: 2 }, [{ $set: { a: '$$REMOVE' } }], { b: 'Int32 2' }],
  [{ a: WIDE }, [{ $set: { a: { $add: ['$a', 1] } } }], { a: 'Long 9007199254740994' }],
  [
    { a: WIDE },
    [{ $set: { a: { $toLong: { $trunc: { $multiply: ['$a', decimal('1.5')] } } } } }],
    { a: 'Long 13510798882111489' }
  ],
  [{ a: -7 }, [{ $set: { a: { $trunc: { $multiply: ['$a', decimal('0.5')] } } } }], { a: 'Decimal128 -3' }],
  [{ a: new Double(-3.5) }, [{ $set: { a: { $trunc: '$a' } } }], { a: 'Double -3' }],
  [{}, [{ $set: { a: { $multiply: ['$a', 2] } } }], { a: 'null' }],
  [{}, [{ $set: { a: { $ifNull: [{ $multiply: ['$a', 2] }, '$$REMOVE'] } } }], {}],
  [{ a: 5 }, [{ $set: { a: { $max: ['$a', 9] }, b: { $min: ['$b', 4] } } }], { a: 'Int32 9', b: 'Int32 4' }],
  [{ a: 5 }, [{ $set: { b: { $cond: [{ $lt: ['$a', 0] }, 'less', 'more'] } } }], { a: 'Int32 5', b: '"more"' }],
  [{ a: null }, [{ $set: { b: { $and: [{ $gte: ['$a', 0] }, true] } } }], { a: 'null', b: 'false' }]
]

for (const [before, stages, after] of rows) {
  t.test(JSON.stringify([before, stages]), async (t) => t.strictSame(updated(before, stages), after))
}

const refused: readonly (readonly [stages: readonly object[], code: number])[] = [
  [[{ $unset: 'a' }], 238],
  [[{ $set: { 'a.b': 1 } }], 238],
  [[{ $set: { a: { $sqrt: 4 } } }], 238],
  [[{ $set: { a: { $add: ['$text', 1] } } }], 14],
  [[{ $set: { a: { $concat: ['$a', 'x'] } } }], 16702],
  [[{ $set: { a: { $toLong: decimal('9223372036854775808') } } }], 241],
  [[{ $set: { a: { $toLong: new Double(Number.POSITIVE_INFINITY) } } }], 241],
  [[{ $set: { _id: new Int32(2) } }], 66]
]

for (const [stages, code] of refused) {
  t.test(`refused: ${JSON.stringify(stages)}`, async (t) => {
    t.throws(() => updated({ _id: 1, a: 1, text: 'x' }, stages), { code })
  })
}
