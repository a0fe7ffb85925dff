/** Schemas of routes: what is plainly valid needs no meta-schema, and all else is judged by Ajv as ever. */
import type { FastifySchema } from 'fastify'
import t, { type Test } from 'tap'
import { application } from '../../src/application/application.ts'
import type { ServerConfig } from '../../src/config/define-config.ts'
import { createServer } from '../../src/server/http.ts'
import { isPlainSchema } from '../../src/server/schema-check.ts'

const DRAFT_07 = 'http://json-schema.org/draft-07/schema'

interface LiveAjv {
  readonly schemas: Record<string, { readonly validate?: unknown } | undefined>
}

/** @returns what Fastify validates with, as the plugins of an application get it */
async function booted(t: Test, body: unknown, ajv: ServerConfig['ajv'] = {}): Promise<LiveAjv> {
  const seen: LiveAjv[] = []
  const look = (instance: unknown): void => void seen.push(instance as LiveAjv)
  const config = { mode: 'test' as const, modules: [], server: { ajv: { ...ajv, plugins: [look] } } }
  const fastify = await createServer(application(config as never, import.meta.url))
  t.teardown(() => fastify.close())
  fastify.post('/', { schema: { body } as FastifySchema }, async () => 'ok')
  await fastify.ready()
  return seen[0] as LiveAjv
}

const compiled = (ajv: LiveAjv): boolean => ajv.schemas[DRAFT_07]?.validate !== undefined

const plain = {
  $id: 'http://localhost/article.json',
  type: 'object',
  required: ['title', 'tags'],
  additionalProperties: false,
  definitions: { tag: { type: 'string', pattern: '^[a-z]+$', maxLength: 20 } },
  patternProperties: { '^x-': true },
  properties: {
    title: { type: ['string', 'null'], minLength: 1, description: 'A line', examples: ['One'] },
    tags: { type: 'array', items: { $ref: '#/definitions/tag' }, uniqueItems: true, maxItems: 9 },
    price: { anyOf: [{ type: 'number', multipleOf: 0.01, minimum: 0 }, { const: null }] },
    state: { type: 'string', nullable: true, enum: ['draft', 'public', null], default: 'draft' }
  }
}

t.test('a plain schema does not have the meta-schema compiled', async (t) => {
  t.equal(compiled(await booted(t, plain)), false)
  t.equal(compiled(await booted(t, { enum: [{ a: 1 }, { a: 2 }] })), true, 'what takes a closer look does')
})

t.test('a meta-schema of the application is asked about each schema', async (t) => {
  const strict = { $id: 'http://localhost/strict', type: 'object', required: ['title'] }
  const own = { customOptions: { meta: strict, defaultMeta: strict.$id, strict: false } } as never
  await t.rejects(booted(t, { type: 'string' }, own), /schema is invalid: .*required property 'title'/)
})

t.test('an invalid schema is refused with the words of Ajv', async (t) => {
  const wrong: readonly [unknown, RegExp][] = [
    [{ type: 'text' }, /schema is invalid: data\/type must be equal to one of the allowed values/],
    [{ type: 'object', properties: { a: { minLength: -1 } } }, /data\/properties\/a\/minLength must be >= 0/],
    [{ type: 'object', required: ['a', 'a'] }, /data\/required must NOT have duplicate items/]
  ]
  for (const [schema, expected] of wrong) await t.rejects(booted(t, schema), expected)
})

t.test('plugins that are no list are refused by Fastify', async (t) => {
  const config = { mode: 'test' as const, modules: [], server: { ajv: { plugins: 'none' } } }
  await t.rejects(createServer(application(config as never, import.meta.url)), {
    code: 'FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_ARR'
  })
})

t.test('X7: a list with holes is not taken for a plain one', async (t) => {
  const holes = (...values: unknown[]) => {
    const list = [...values]
    list.length += 1
    return [list, Object.assign([], { 1: values[0] })]
  }
  for (const keyword of ['required', 'enum', 'type', 'examples']) {
    for (const list of holes('string')) t.equal(isPlainSchema({ [keyword]: list }), false, keyword)
    t.equal(isPlainSchema({ [keyword]: ['string'] }), true, keyword)
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf', 'items']) {
    for (const list of holes({ type: 'string' })) t.equal(isPlainSchema({ [keyword]: list }), false, keyword)
    t.equal(isPlainSchema({ [keyword]: [{ type: 'string' }] }), true, keyword)
  }
  for (const list of holes('a')) t.equal(isPlainSchema({ dependencies: { a: list } }), false)
  const torn = { type: 'object', required: Object.assign([], { 1: 'a' }) }
  await t.rejects(booted(t, torn), /schema is invalid: data\/required\/0 must be string/, 'Ajv says what is wrong')
})
