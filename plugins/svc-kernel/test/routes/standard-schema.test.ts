/** Schemas of three libraries through one interface: what they let through, and what they export. */
import { type } from 'arktype'
import t from 'tap'
import * as v from 'valibot'
import { z } from 'zod'
import type { StandardSchema } from '../../src/index.ts'
import { isStandardSchema, jsonSchemaOf, standardValidator } from '../../src/plugin.ts'

const standard = (more: object): StandardSchema =>
  ({ '~standard': { version: 1, vendor: 'odd', validate: () => ({ value: 1 }), ...more } }) as never

t.test('what a Standard Schema is', async (t) => {
  for (const schema of [z.string(), v.string(), type('string'), standard({})]) t.ok(isStandardSchema(schema))
  const others = [
    null,
    undefined,
    true,
    'text',
    {},
    { type: 'string' },
    { '~standard': null },
    { '~standard': {} },
    class {}
  ]
  for (const other of others) t.notOk(isStandardSchema(other), String(other))
})

t.test('a value or faults, at once', async (t) => {
  const check = standardValidator(z.object({ 'a/b~c': z.array(z.coerce.number()) }))
  t.strictSame(check({ 'a/b~c': ['1'] }), { value: { 'a/b~c': [1] } })
  t.match(check({ 'a/b~c': [1, 'x'] }), { error: [{ instancePath: '/a~1b~0c/1', message: /number/ }] })
  t.match(standardValidator(v.object({ n: v.number() }))({ n: '1' }), { error: [{ instancePath: '/n' }] })
  t.match(standardValidator(type({ n: 'number' }))({ n: '1' }), { error: [{ instancePath: '/n' }] })
  t.match(standardValidator(type({ n: 'number' }))(undefined), { error: [{ instancePath: '' }] })
  t.strictSame(standardValidator(z.undefined())(undefined), { value: undefined })
})

t.test('or a promise of them', async (t) => {
  const check = standardValidator(
    z
      .string()
      .refine(async (text) => text !== 'x', 'is x')
      .transform((text) => text.length)
  )
  t.strictSame(await check('abc'), { value: 3 })
  t.strictSame(await check('x'), { error: [{ instancePath: '', message: 'is x' }] })
})

t.test('what answers neither lets nothing through', async (t) => {
  for (const answer of [undefined, null, true, {}]) {
    t.throws(() => standardValidator(standard({ validate: () => answer }))(1), {
      message: /neither a value nor issues/
    })
  }
  t.strictSame(standardValidator(standard({ validate: () => ({ value: 1, issues: [] }) }))(1), { error: [] })
})

t.test('what the library exports', async (t) => {
  const note = {
    type: 'object',
    properties: { title: { type: 'string', minLength: 1 }, count: { type: 'number' } },
    required: ['title']
  }
  const makes = [
    z.object({ title: z.string().min(1), count: z.number().optional() }),
    v.object({ title: v.pipe(v.string(), v.minLength(1)), count: v.optional(v.number()) }),
    type({ title: 'string > 0', 'count?': 'number' })
  ]
  for (const schema of makes) {
    for (const target of ['draft-07', 'draft-2020-12'] as const) {
      t.match(jsonSchemaOf(schema, 'input', target), note, schema['~standard'].vendor)
      t.notOk('$schema' in jsonSchemaOf(schema, 'output', target))
    }
  }
  const both = z.string().transform(Number).pipe(z.number())
  t.strictSame(jsonSchemaOf(both, 'input', 'draft-07'), { type: 'string' })
  t.strictSame(jsonSchemaOf(both, 'output', 'draft-07'), { type: 'number' })
})

t.test('what JSON Schema cannot say is left out', async (t) => {
  t.strictSame(jsonSchemaOf(z.date(), 'output', 'draft-07'), { type: 'string', format: 'date-time' })
  t.strictSame(jsonSchemaOf(z.bigint(), 'output', 'draft-07'), {})
  t.strictSame(jsonSchemaOf(v.date(), 'output', 'draft-07'), {})
  t.strictSame(jsonSchemaOf(v.pipe(v.string(), v.transform(Number)), 'input', 'draft-07'), { type: 'string' })
  t.strictSame(jsonSchemaOf(type('string.date.parse'), 'input', 'draft-07'), { type: 'string' })
})

t.test('no export, or one that fails, is an error that says so', async (t) => {
  t.throws(() => jsonSchemaOf(standard({}), 'input', 'draft-07'), {
    message: /^odd exports no JSON Schema here; write/
  })
  t.throws(() => jsonSchemaOf(standard({ vendor: 'zod' }), 'input', 'draft-07'), { message: /npm install zod@/ })
  const broken = () => {
    throw new Error('the export is broken')
  }
  const jsonSchema = { input: broken, output: broken }
  t.throws(() => jsonSchemaOf(standard({ jsonSchema }), 'output', 'draft-07'), { message: 'the export is broken' })
})
