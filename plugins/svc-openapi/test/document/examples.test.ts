/** Examples of routes against the schemas beside them: which are found, where, and what is said of them. */
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { z } from 'zod'
import type { Document } from '../../src/document/document.ts'
import { type ExampleFault, exampleFaults } from '../../src/document/examples.ts'
import svcOpenapi from '../../src/index.ts'

const document = (more: object) => ({ openapi: '3.1.0', info: { title: 'x', version: '1' }, ...more }) as Document
const body = (media: object, type = 'application/json') =>
  document({ paths: { '/a/{id}': { post: { requestBody: { content: { [type]: media } } } } } })
const IN_BODY = '/requestBody/content/application~1json'
const price = { type: 'object', required: ['price'], properties: { price: { type: 'integer' } } }

const CASES: readonly (readonly [
  what: string,
  given: Document,
  faults: readonly (readonly [string, string, string])[]
])[] = [
  ['no examples', body({ schema: price }), []],
  [
    'of a body: one',
    body({ schema: price, example: { price: '7' } }),
    [['POST /a/{id}', `${IN_BODY}/example`, '/price must be integer']]
  ],
  [
    'of a body: by name, of which one fits and one is elsewhere',
    body({ schema: price, examples: { good: { value: { price: 7 } }, 'a/b': { value: {} }, far: { $ref: '#/x' } } }),
    [['POST /a/{id}', `${IN_BODY}/examples/a~1b`, "/ must have required property 'price'"]]
  ],
  [
    'null is a value',
    body({ schema: price, example: null }),
    [['POST /a/{id}', `${IN_BODY}/example`, '/ must be object']]
  ],
  ['of a form', body({ schema: price, example: { price: 7 } }, 'multipart/form-data'), []],
  ['text that a schema of an object describes', body({ schema: price, example: 'price\n7' }, 'text/csv'), []],
  [
    'within a schema: lists, one word, every way to go deeper',
    body({
      schema: {
        type: 'object',
        properties: {
          // Names are not keywords.
          example: { type: 'integer', example: 'a' },
          examples: { type: 'array', items: { enum: ['x'], examples: ['x', 'y'] } },
          pair: { prefixItems: [{ type: 'string' }, { type: 'integer', examples: [1, 'b'] }], examples: [['a', 1]] }
        },
        additionalProperties: { anyOf: [{ type: 'null' }, { type: 'integer', examples: ['c'] }] },
        default: { example: 'no example' },
        enum: [{ schema: {}, example: 1 }]
      }
    }),
    [
      ['POST /a/{id}', `${IN_BODY}/schema/additionalProperties/anyOf/1/examples/0`, '/ must be integer'],
      ['POST /a/{id}', `${IN_BODY}/schema/properties/example/example`, '/ must be integer'],
      [
        'POST /a/{id}',
        `${IN_BODY}/schema/properties/examples/items/examples/1`,
        '/ must be equal to one of the allowed values'
      ],
      ['POST /a/{id}', `${IN_BODY}/schema/properties/pair/prefixItems/1/examples/1`, '/ must be integer']
    ]
  ],
  [
    'of parameters and headers of answers, and of shared schemas that they refer to',
    document({
      paths: {
        '/b': {
          get: {
            parameters: [{ name: 'n', in: 'query', schema: { $ref: '#/components/schemas/N' }, example: 'many' }],
            responses: { 200: { headers: { 'x-n': { schema: { type: 'integer' }, example: 1.5 } } } }
          }
        }
      },
      components: { schemas: { N: { type: 'integer', examples: [3, 'three'] } } }
    }),
    [
      ['GET /b', '/parameters/0/example', '/ must be integer'],
      ['GET /b', '/responses/200/headers/x-n/example', '/ must be integer'],
      ['components/schemas/N', '/examples/1', '/ must be integer']
    ]
  ],
  [
    'of messages and answers of sockets, and of webhooks',
    document({
      'x-websocket-routes': [
        {
          path: '/live',
          message: { contentType: 'application/json', schema: { type: 'string', examples: [1] } },
          answer: { type: 'string', examples: [2] }
        }
      ],
      webhooks: { sold: { post: { requestBody: { content: { 'application/json': { schema: price, example: [] } } } } } }
    }),
    [
      ['POST sold', `${IN_BODY}/example`, '/ must be object'],
      ['WEBSOCKET /live', '/answer/examples/0', '/ must be string'],
      ['WEBSOCKET /live', '/message/schema/examples/0', '/ must be string']
    ]
  ],
  ['a schema that is none', body({ schema: { type: 'nothing' }, example: 1 }), []],
  ['a moment as JSON has it', body({ schema: { type: 'string' }, example: new Date(0) }), []]
]

const sorted = (faults: readonly ExampleFault[]) =>
  faults.map(({ operation, at, text }) => [operation, at, text]).sort((a, b) => (String(a) < String(b) ? -1 : 1))

for (const [what, given, expected] of CASES)
  t.test(what, async (t) => {
    t.strictSame(sorted(await exampleFaults(given)), expected)
  })

interface Line {
  readonly code?: string
  readonly examples?: readonly string[]
}

async function application(t: Test, mode: 'development' | 'production') {
  const lines: Line[] = []
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = mode
  t.teardown(() => {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  })
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as Line) }
  const fastify: FastifyInstance = Fastify({ logger: { level: 'warn', stream } })
  t.teardown(() => fastify.close())
  await fastify.register(svcOpenapi, { page: false })
  fastify.addSchema({ $id: 'price', type: 'object', properties: { amount: { type: 'integer', examples: ['1.50'] } } })
  const order = z.object({
    count: z
      .number()
      .int()
      .meta({ examples: [0.5] })
  })
  const query = { type: 'object', properties: { page: { type: 'integer', examples: [1, 'two'] } } }
  fastify.post(
    '/orders',
    { schema: { body: order, querystring: query } as object, validatorCompiler: () => () => true },
    () => ''
  )
  fastify.get('/price', { schema: { response: { 200: { $ref: 'price#' } } } }, () => ({}))
  await fastify.ready()
  return { fastify, lines, warned: () => lines.filter(({ code }) => code === 'SVC_OPENAPI_EXAMPLE') }
}

const FOUND = [
  'POST /orders /parameters/0/examples/two: / must be integer',
  'POST /orders /requestBody/content/application~1json/schema/properties/count/examples/0: / must be integer',
  'components/schemas/def-0 (price) /properties/amount/examples/0: / must be integer'
]

t.test('in development the log says it once, when the document is made', async (t) => {
  const { fastify, warned } = await application(t, 'development')
  t.strictSame(warned(), [])
  const source = fastify.apiDocuments.get('main')
  fastify.swagger()
  fastify.swagger()
  const faults = (await source?.exampleFaults()) ?? []
  t.strictSame(faults.map(({ operation, at, text }) => `${operation} ${at}: ${text}`).sort(), FOUND)
  const [line, ...more] = warned()
  t.strictSame([...(line?.examples ?? [])].sort(), FOUND)
  t.strictSame(more, [])
})

t.test('in production nothing is looked at', async (t) => {
  const { fastify, lines } = await application(t, 'production')
  fastify.swagger()
  await fastify.apiDocuments.get('main')?.exampleFaults()
  t.strictSame(lines, [])
})
