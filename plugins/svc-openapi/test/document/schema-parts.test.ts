/** Schemas of libraries in the document: as they export themselves, and never their insides. */
import { type } from 'arktype'
import { isStandardSchema, standardParts } from 'svc-kernel/plugin'
import t from 'tap'
import * as v from 'valibot'
import { z } from 'zod'
import { describeSchemas } from '../../src/document/schema-parts.ts'

const note = { type: 'object', properties: { title: { type: 'string', minLength: 1 } }, required: ['title'] }
const MAKES = {
  zod: z.object({ title: z.string().min(1) }),
  valibot: v.object({ title: v.pipe(v.string(), v.minLength(1)) }),
  arktype: type({ title: 'string > 0' })
}

for (const [make, schema] of Object.entries(MAKES)) {
  t.test(`${make}: every part`, async (t) => {
    const content = { 'application/json': { schema, other: 1 } }
    const given = { body: schema, querystring: schema, tags: ['x'], response: { 200: schema, 201: { content } } }
    const { schema: described, notes } = describeSchemas(given, 'Notes.write')
    t.match(described, { body: note, querystring: note, tags: ['x'], response: { 200: note } })
    t.match(described, { response: { 201: { content: { 'application/json': { schema: note, other: 1 } } } } })
    t.strictSame(notes, [])
  })
}

t.test('parts that validate by themselves are described beside those of Fastify', async (t) => {
  const given = { params: { type: 'object', properties: {} }, [standardParts]: { body: MAKES.zod } }
  const { schema } = describeSchemas(given, 'x')
  t.match(schema, { params: given.params, body: note })
  t.notOk(standardParts in schema)
})

t.test('input is what a caller sends, output what an answer holds', async (t) => {
  const schema = z.object({
    at: z
      .string()
      .transform((text) => new Date(text))
      .pipe(z.date())
  })
  const { schema: described } = describeSchemas({ body: schema, response: { 200: schema } }, 'x')
  t.match(described, {
    body: { properties: { at: { type: 'string', format: undefined } } },
    response: { 200: { properties: { at: { type: 'string', format: 'date-time' } } } }
  })
})

t.test('what refers to itself becomes components', async (t) => {
  const Tree = z.object({
    name: z.string(),
    get kids() {
      return z.array(Tree)
    }
  })
  const root = describeSchemas({ body: Tree }, 'Trees.write')
  t.match(root.components['Trees.write.body'], {
    properties: { kids: { items: { $ref: '#/components/schemas/Trees.write.body' } } }
  })
  t.match(root.schema.body, { properties: { name: { type: 'string' } } })

  const { schema, components } = describeSchemas({ body: z.object({ tree: Tree }) }, 'POST /trees/:id')
  const [[name = '', tree] = []] = Object.entries(components)
  t.match(name, /^POST-trees-id\.body\.\w+$/)
  t.match(schema.body, { properties: { tree: { $ref: `#/components/schemas/${name}` } }, $defs: undefined })
  t.match(tree, { properties: { kids: { items: { $ref: `#/components/schemas/${name}` } } } })

  const plain = { definitions: { 'a b': { type: 'string' } }, properties: { a: { $ref: '#/definitions/a b' } } }
  const hoisted = describeSchemas({ body: plain }, 'x')
  t.strictSame(hoisted.components, { 'x.body.a-b': { type: 'string' } })
  t.strictSame(hoisted.schema.body, { properties: { a: { $ref: '#/components/schemas/x.body.a-b' } } })
  const foreign = { $ref: '#/components/schemas/Mine' }
  t.equal(describeSchemas({ body: foreign }, 'x').schema.body, foreign, 'a reference into the document stays')
})

t.test('what cannot be described is a note', async (t) => {
  const odd = (more: object) => ({
    '~standard': { version: 1, vendor: 'odd', validate: () => ({ value: 1 }), ...more }
  })
  const broken = () => {
    throw new Error('the export is broken')
  }
  class Foreign {}
  const given = {
    body: odd({}),
    querystring: odd({ jsonSchema: { input: broken, output: broken } }),
    headers: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    params: new Foreign(),
    response: { 200: odd({}), 201: new Foreign() }
  }
  t.ok(isStandardSchema(given.body))
  const { schema, notes } = describeSchemas(given, 'x')
  const text = { description: 'Validated by a schema without a JSON Schema export.' }
  const none = { type: 'object', properties: {} }
  t.strictSame(schema, {
    body: text,
    querystring: none,
    headers: none,
    params: none,
    response: { 200: text, 201: text }
  })
  t.match(notes, [
    /^body: odd exports no JSON Schema/,
    /^querystring: the export is broken/,
    /^params: its library does not implement Standard Schema/,
    /^headers: it is not an object with properties/,
    /^response\.200: odd/,
    /^response\.201: its library/
  ])
})
