/** What breaks a client and what does not, by hand: a request may become wider, a response narrower. */
import t from 'tap'
import { compareDocuments } from '../../src/openapi/compare-documents.ts'
import type { OpenapiDocument, Operation } from '../../src/openapi/document.ts'

function api(operation: Operation, path = '/orders', method = 'post', schemas = {}): OpenapiDocument {
  return { openapi: '3.1.0', paths: { [path]: { [method]: operation } }, components: { schemas } }
}

const sends = (schema: object): Operation => ({
  requestBody: { content: { 'application/json': { schema } as object } }
})
const reads = (schema: object): Operation => ({
  responses: { 200: { content: { 'application/json': { schema } as object } } }
})

function found(before: OpenapiDocument, after: OpenapiDocument): string[] {
  return compareDocuments(before, after).map(({ breaking, operation, at, text }) =>
    [breaking ? '!' : '+', operation, at, text].filter(Boolean).join(' ')
  )
}

const object = (properties: object, required: string[] = [], more = {}) => ({
  type: 'object',
  properties,
  required,
  ...more
})
const text = { type: 'string' }

/** Title, before, after, what a client that sends it notices, what one that reads it notices. */
const SCHEMAS: ReadonlyArray<readonly [string, object, object, sent: string[], read: string[]]> = [
  ['nothing', object({ a: text }), object({ a: text }), [], []],
  ['a property is new', object({}), object({ a: text }), [], []],
  ['a required property is new', object({}), object({ a: text }, ['a']), ['/a is required'], []],
  ['a property is gone', object({ a: text }), object({}), ['/a is no longer read'], ['/a is gone']],
  ['a property may be absent', object({ a: text }, ['a']), object({ a: text }), [], ['/a may be absent']],
  ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, [], ['may be "b"']],
  ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, ['accepts no longer "b"'], []],
  ['any value now', { enum: ['a'] }, {}, [], ['is no longer one of a list']],
  ['one of a list now', {}, { const: 1 }, ['is one of a list'], []],
  ['a wider type', { type: 'integer' }, { type: 'number' }, [], ['is number, was integer']],
  ['a narrower type', { type: 'number' }, { type: 'integer' }, ['is integer, was number'], []],
  ['null too', text, { type: ['string', 'null'] }, [], ['is string or null, was string']],
  ['a longer text', { maxLength: 5 }, { maxLength: 9 }, [], ['maxLength is 9, was 5']],
  ['a shorter text', { maxLength: 9 }, { maxLength: 5 }, ['maxLength is 5, was 9'], []],
  ['no bound any more', { minimum: 1 }, {}, [], ['minimum is absent, was 1']],
  ['a format', text, { ...text, format: 'email' }, ['format is "email", was absent'], []],
  [
    'other properties no longer',
    object({}),
    object({}, [], { additionalProperties: false }),
    ['accepts no other properties'],
    []
  ],
  [
    'items',
    { type: 'array', items: object({ a: text }, ['a']) },
    { type: 'array', items: object({ a: text }) },
    [],
    ['/*/a may be absent']
  ],
  [
    'an alternative more',
    { anyOf: [text] },
    { anyOf: [text, { type: 'null' }] },
    [],
    ['may be an alternative that it was not: {"type":"null"}']
  ],
  [
    'an alternative less',
    { oneOf: [text, { type: 'null' }] },
    text,
    ['accepts an alternative no longer: {"type":"null"}'],
    []
  ],
  [
    'parts of a whole',
    { allOf: [object({ a: text }, ['a']), object({ b: text })] },
    object({ a: text, b: text }, ['a']),
    [],
    []
  ]
]

for (const [title, before, after, sent, read] of SCHEMAS) {
  t.test(`schema: ${title}`, async (t) => {
    t.strictSame(
      found(api(sends(before)), api(sends(after))),
      sent.map((line) => `! POST /orders body ${line}`),
      'sent'
    )
    t.strictSame(
      found(api(reads(before)), api(reads(after))),
      read.map((line) => `! POST /orders response 200 ${line}`),
      'read'
    )
  })
}

t.test('a schema that contains itself', async (t) => {
  const tree = (leaf: object) => ({ Tree: object({ leaf, under: { $ref: '#/components/schemas/Tree' } }) })
  const under = reads({ $ref: '#/components/schemas/Tree' })
  const [before, after] = [api(under, '/t', 'get', tree(text)), api(under, '/t', 'get', tree({ type: 'number' }))]
  t.strictSame(found(before, before), [])
  t.strictSame(found(before, after), ['! GET /t response 200 /leaf is number, was string'])
})

const parameter = (name: string, place: string, more = {}) => ({ name, in: place as 'query', schema: text, ...more })

/** Title, before, after, what is found. */
const OPERATIONS: ReadonlyArray<readonly [string, OpenapiDocument, OpenapiDocument, string[]]> = [
  ['is gone', api({}, '/a'), api({}, '/b'), ['! POST /a is gone', '+ POST /b is new']],
  ['another name in the path', api({}, '/a/{id}'), api({}, '/a/{key}'), []],
  [
    'a parameter of the path by its place',
    api({ parameters: [parameter('id', 'path')] }, '/a/{id}'),
    api({ parameters: [parameter('key', 'path', { schema: { type: 'integer' } })] }, '/a/{key}'),
    ['! POST /a/{id} path id is integer, was string']
  ],
  [
    'parameters',
    api({ parameters: [parameter('a', 'query'), parameter('b', 'query')] }),
    api({
      parameters: [
        parameter('a', 'query', { required: true }),
        parameter('c', 'query'),
        parameter('d', 'header', { required: true })
      ]
    }),
    [
      '! POST /orders query a is required',
      '! POST /orders query b is no longer read',
      '! POST /orders header d is new, and required',
      '+ POST /orders query c is new'
    ]
  ],
  [
    'bodies',
    api({ requestBody: { content: { 'application/json': {}, 'text/csv': {} } } }),
    api({ requestBody: { required: true, content: { 'application/json': {} } } }),
    ['! POST /orders body is required', '! POST /orders body text/csv is gone']
  ],
  ['no body any more', api(sends(text)), api({}), ['! POST /orders body is no longer read']],
  [
    'answers',
    api({ responses: { 200: {}, 404: {} } }),
    api({ responses: { 201: {}, 409: {} } }),
    [
      '! POST /orders response 200 is gone',
      '+ POST /orders response 404 is gone',
      '+ POST /orders response 201 is new',
      '+ POST /orders response 409 is new'
    ]
  ],
  [
    'proofs',
    api({ security: [{ jwt: [] }, { 'api-key': [] }] }),
    api({ security: [{ jwt: ['orders'] }, { 'api-key': [] }, { session: [] }] }),
    ['! POST /orders security jwt is not enough']
  ],
  ['closed', api({}), api({ security: [{ jwt: [] }] }), ['! POST /orders security no proof is not enough']],
  ['opened', api({ security: [{ jwt: [] }] }), api({ security: [{ jwt: [] }, {}] }), []],
  ['a guard', api({}), api({ 'x-guard': 'ROLE_ADMIN' }), ['! POST /orders guard requires ROLE_ADMIN']],
  [
    'another guard',
    api({ 'x-guard': 'ROLE_A' }),
    api({ 'x-guard': 'ROLE_B' }),
    ['+ POST /orders guard requires ROLE_B, required ROLE_A']
  ]
]

for (const [title, before, after, changes] of OPERATIONS) {
  t.test(`operation: ${title}`, async (t) => t.strictSame(found(before, after), changes))
}
