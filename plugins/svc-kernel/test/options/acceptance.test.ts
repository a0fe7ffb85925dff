/** What is accepted by reading a schema is what Ajv accepts, with the same defaults; all else is left to Ajv. */
import { inspect } from 'node:util'
import t from 'tap'
import { accepts } from '../../src/options/acceptance.ts'
import { compileSchema } from '../../src/options/schema-compiler.ts'

type Schema = Record<string, unknown>

const formats = {
  role: /^ROLE_[A-Z0-9_]+$/,
  origin: (text: string) => URL.canParse(text) && new URL(text).origin === text
}
const closed = (properties: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more
})

/** Every word that is read, alone and among its neighbours. */
const known: Record<string, Schema> = {
  'any value': { expected: 'anything' },
  'an integer': { type: 'integer' },
  'a number': { type: 'number', minimum: 1, maximum: 3 },
  'a flag': { type: 'boolean' },
  'a flag or a list': { type: ['boolean', 'array'] },
  const: { const: 'two' },
  enum: { enum: ['one', 2, false] },
  'a text': { type: 'string', minLength: 1, maxLength: 3 },
  pattern: { type: 'string', pattern: '^[a-z]+$' },
  format: { type: 'string', format: 'role' },
  'computed format': { type: 'string', format: 'origin' },
  'a list': { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } },
  'a list without twins': { type: 'array', uniqueItems: true, items: { type: ['string', 'number'] } },
  'a list that holds': { type: 'array', contains: { const: 'one' } },
  'a closed tree': closed({ one: { type: 'integer' } }, { required: ['one'] }),
  'an open tree': { type: 'object', properties: { one: {} }, additionalProperties: { type: 'integer' } },
  'named keys': { type: 'object', minProperties: 1, propertyNames: { type: 'string', pattern: '^[a-z]{3}$' } },
  defaults: closed({ one: { type: 'integer', default: 1 }, list: { type: 'array', default: ['x'] } }),
  'a default that counts as given': closed({ one: { type: 'integer', default: 1 } }, { required: ['one'] }),
  'defaults below a default': closed({ one: closed({ two: { type: 'string', default: 'x' } }, { default: {} }) }),
  'defaults in a list': { type: 'array', items: closed({ one: { type: 'integer', default: 1 } }) },
  'a union': { anyOf: [{ type: 'string', minLength: 2 }, closed({ one: { type: 'integer' } }), { const: false }] }
}

const values: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  1,
  2,
  2.5,
  4,
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '',
  'one',
  'two',
  'four',
  'ONE',
  '👍👍',
  '👍👍👍👍',
  'ROLE_ADMIN',
  'https://shop.example',
  'https://shop.example/',
  [],
  ['one'],
  ['one', 'one'],
  ['one', 'two', 3],
  [1, '1'],
  [[], []],
  [{}],
  [{ one: 2 }, { one: 'x' }],
  {},
  { one: 1 },
  { one: undefined },
  { one: 'x' },
  { one: 1, two: 2 },
  { two: 'x' },
  { four: 4 },
  { one: {} },
  { one: { two: 3 } },
  { one: { two: 'y' } },
  { toString: 1 },
  JSON.parse('{ "__proto__": 1 }')
]

for (const [name, schema] of Object.entries(known)) {
  t.test(name, async (t) => {
    const validate = compileSchema(schema)
    let right = 0
    for (const value of values) {
      const read = structuredClone(value)
      const compiled = structuredClone(value)
      const expected = validate(compiled)
      if (expected) right += 1
      t.equal(accepts(schema, read, formats), expected, inspect(value))
      if (expected) t.strictSame(read, compiled, 'with the same defaults')
      t.equal(validate(read), expected, 'what was begun changes nothing for Ajv')
    }
    t.ok(right > 0, 'some value is right')
  })
}

t.test('what the words say of trees and lists inside values is left to Ajv', async (t) => {
  t.notOk(accepts({ enum: [['one']] }, ['one'], formats))
  t.notOk(accepts({ const: { one: 1 } }, { one: 1 }, formats))
  t.notOk(accepts({ type: 'array', uniqueItems: true }, [{}], formats))
})

t.test('a word that is not known, or means nothing, is left to Ajv', async (t) => {
  for (const schema of [
    { not: { type: 'string' } },
    { if: { type: 'string' } },
    { patternProperties: {} },
    { toString: 1 },
    { type: 'null' },
    { type: 'number', minimum: '1' },
    { type: 'string', format: 'toString' },
    { type: 'object', additionalProperties: { multipleOf: 2 } }
  ]) {
    const value = schema.type === 'string' ? 'x' : schema.type === 'object' ? { one: 2 } : 2
    t.notOk(accepts(schema, value, formats), JSON.stringify(schema))
  }
})
