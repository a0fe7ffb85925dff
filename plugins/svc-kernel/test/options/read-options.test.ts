/** The options reader: every mistake of a plugin's options in one report, with its path and a way out. */
import t from 'tap'
import { checkOptions, readOptions } from '../../src/options/read-options.ts'
import type { OptionsSchema } from '../../src/options/schema-compiler.ts'
import type { BootError } from '../../src/problems/boot-error.ts'
import type { Problem } from '../../src/problems/problem.ts'

const schema: OptionsSchema = {
  $id: 'svc-example/options',
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1 },
    maxRetries: { type: 'integer', minimum: 0, default: 5 },
    mode: { enum: ['first', 'all'], default: 'first' },
    encryptionKey: { type: 'string', pattern: '^[A-Z]+$' },
    ttl: { type: 'integer', minimum: 1, expected: 'seconds, a whole number above 0' },
    store: {
      anyOf: [
        { enum: ['auto', 'memory'] },
        { type: 'object', additionalProperties: false, properties: { driver: { type: 'string' } } }
      ]
    },
    origin: { type: 'string', format: 'origin' },
    limit: { oneOf: [{ type: 'integer' }, { const: false }] },
    lane: { type: 'object', minProperties: 1 },
    areas: {
      type: 'object',
      default: {},
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['pattern'],
        properties: {
          pattern: { type: 'string', format: 'regex' },
          authenticators: { type: 'array', minItems: 1, items: { type: 'string' } },
          realtime: { type: 'boolean', default: true }
        }
      }
    },
    roles: {
      type: 'object',
      propertyNames: { type: 'string', format: 'role' },
      additionalProperties: { type: 'array', items: { type: 'string', format: 'role' } }
    }
  }
}

type Row = [title: string, given: object, problems: Array<Partial<Problem>>]

const rows: readonly Row[] = [
  [
    'a slip in a key',
    { name: 'x', maxRetires: 3 },
    [
      {
        at: 'svc-example.maxRetires',
        message: 'unknown key (did you mean maxRetries?)',
        fix: 'rename maxRetires to maxRetries'
      }
    ]
  ],
  [
    'a key like no other',
    { name: 'x', banana: 3 },
    [{ at: 'svc-example.banana', message: 'unknown key', fix: 'remove banana' }]
  ],
  [
    'a slip deep inside',
    { name: 'x', areas: { api: { patern: '^/', pattern: '^/' } } },
    [
      {
        at: 'svc-example.areas.api.patern',
        message: 'unknown key (did you mean pattern?)',
        expected: 'pattern | authenticators | realtime'
      }
    ]
  ],
  [
    'a slip in a required key is one mistake',
    { name: 'x', areas: { api: { patern: '^/' } } },
    [{ at: 'svc-example.areas.api.patern', message: 'unknown key (did you mean pattern?)' }]
  ],
  [
    'an unknown key and a missing one, here and elsewhere, are several',
    { name: 'x', areas: { api: { banana: 1 }, web: {}, app: { pattern: '^/', patern: '^/' } } },
    [
      { at: 'svc-example.areas.api.pattern', message: 'missing key' },
      { at: 'svc-example.areas.api.banana', message: 'unknown key' },
      { at: 'svc-example.areas.web.pattern', message: 'missing key' },
      { at: 'svc-example.areas.app.patern', message: 'unknown key (did you mean pattern?)' }
    ]
  ],
  ['a missing key', {}, [{ at: 'svc-example.name', message: 'missing key', fix: 'add name' }]],
  ['a wrong choice', { name: 'x', mode: 'any' }, [{ at: 'svc-example.mode', got: '"any"', expected: 'first | all' }]],
  ['a wrong type', { name: 'x', maxRetries: '5' }, [{ at: 'svc-example.maxRetries', got: '"5"', expected: 'integer' }]],
  ['out of bounds', { name: 'x', maxRetries: -1 }, [{ at: 'svc-example.maxRetries', got: '-1', expected: '>= 0' }]],
  ['NaN', { name: 'x', maxRetries: Number.NaN }, [{ at: 'svc-example.maxRetries', got: 'NaN', expected: 'integer' }]],
  [
    'the words of the schema',
    { name: 'x', ttl: 0 },
    [{ at: 'svc-example.ttl', expected: 'seconds, a whole number above 0' }]
  ],
  ['an empty text', { name: '' }, [{ at: 'svc-example.name', got: '""', expected: 'at least 1 character(s)' }]],
  [
    'an empty list',
    { name: 'x', areas: { api: { pattern: '^/', authenticators: [] } } },
    [{ at: 'svc-example.areas.api.authenticators', got: 'a list of 0', expected: 'at least 1 item(s)' }]
  ],
  [
    'an empty object',
    { name: 'x', lane: {} },
    [{ at: 'svc-example.lane', got: 'an object', expected: 'at least 1 key(s)', fix: 'set lane to at least 1 key(s)' }]
  ],
  [
    'an item of a list',
    { name: 'x', areas: { api: { pattern: '^/', authenticators: ['jwt', 7] } } },
    [{ at: 'svc-example.areas.api.authenticators[1]', got: '7', expected: 'string' }]
  ],
  [
    'a broken regular expression',
    { name: 'x', areas: { api: { pattern: '(' } } },
    [{ at: 'svc-example.areas.api.pattern', got: '"("', expected: 'a regular expression' }]
  ],
  [
    'an origin with a path',
    { name: 'x', origin: 'https://a.example/b' },
    [{ at: 'svc-example.origin', expected: 'an origin such as "https://app.example"' }]
  ],
  ['the opaque origin', { name: 'x', origin: 'null' }, [{ at: 'svc-example.origin', got: '"null"' }]],
  [
    'a role without its prefix',
    { name: 'x', roles: { ADMIN: ['ROLE_USER'] } },
    [
      {
        at: 'svc-example.roles',
        message: 'invalid name',
        got: '"ADMIN"',
        expected: 'a role name: ROLE_ and capitals, digits or _'
      }
    ]
  ],
  [
    'a union, no branch near',
    { name: 'x', store: 7 },
    [{ at: 'svc-example.store', got: '7', expected: 'auto | memory | object' }]
  ],
  [
    'a union, a wrong choice',
    { name: 'x', store: 'mongo' },
    [{ at: 'svc-example.store', got: '"mongo"', expected: 'auto | memory | object' }]
  ],
  [
    'a union, a slip inside the branch that fits',
    { name: 'x', store: { drivre: 'x' } },
    [{ at: 'svc-example.store.drivre', message: 'unknown key (did you mean driver?)' }]
  ],
  [
    'a union of a type and a constant',
    { name: 'x', limit: true },
    [{ at: 'svc-example.limit', got: 'true', expected: 'integer | false' }]
  ],
  [
    'a secret is not shown',
    { name: 'x', encryptionKey: 'hunter2' },
    [{ at: 'svc-example.encryptionKey', got: 'text of 7 characters', expected: 'text matching ^[A-Z]+$' }]
  ],
  [
    'an object in place of text',
    { name: { secret: 'hunter2' } },
    [{ at: 'svc-example.name', got: 'an object', expected: 'string' }]
  ],
  [
    'an own __proto__ key',
    JSON.parse('{"name":"x","__proto__":{"maxRetries":1}}'),
    [{ at: 'svc-example.__proto__', message: 'unknown key' }]
  ],
  [
    'several at once',
    { mode: 'any', maxRetires: 1, areas: { a: {}, 'b/c': { pattern: ')', x: 1 } } },
    [
      { at: 'svc-example.name' },
      { at: 'svc-example.maxRetires' },
      { at: 'svc-example.mode' },
      { at: 'svc-example.areas.a.pattern' },
      { at: 'svc-example.areas.b/c.x' },
      { at: 'svc-example.areas.b/c.pattern' }
    ]
  ]
]

for (const [title, given, expected] of rows) {
  t.test(title, async (t) => {
    const { problems } = checkOptions('svc-example', schema, given)
    t.match(problems, expected)
    t.equal(problems.length, expected.length)
    t.ok(problems.every(({ code }) => code === 'SVC_KERNEL_OPTIONS'))
  })
}

t.test('defaults are filled in at every depth, the given object is left alone', async (t) => {
  const given = Object.freeze({ name: 'x', areas: Object.freeze({ api: Object.freeze({ pattern: '^/api' }) }) })
  const before = structuredClone(given)
  const options = readOptions('svc-example', schema, given)
  t.same(options, { name: 'x', maxRetries: 5, mode: 'first', areas: { api: { pattern: '^/api', realtime: true } } })
  t.same(given, before)
  t.not((options as typeof given).areas, given.areas)
})

t.test('the result is frozen to its leaves', async (t) => {
  const options = readOptions<{ areas: { api: { authenticators: string[] } } }>('svc-example', schema, {
    name: 'x',
    areas: { api: { pattern: '^/', authenticators: ['jwt'] } }
  })
  t.ok(
    Object.isFrozen(options) && Object.isFrozen(options.areas.api) && Object.isFrozen(options.areas.api.authenticators)
  )
})

t.test('one reading does not leak into the next', async (t) => {
  readOptions('svc-example', schema, { name: 'first', maxRetries: 9 })
  t.match(readOptions('svc-example', schema, { name: 'second' }), { name: 'second', maxRetries: 5 })
})

t.test('what Fastify hands over, and parts, are no options', async (t) => {
  const given = {
    name: 'x',
    parts: { clock: () => 1 },
    prefix: '/a',
    logLevel: 'info',
    logSerializers: { req: () => '' },
    routePath: '/'
  }
  t.same(readOptions('svc-example', schema, given), { name: 'x', maxRetries: 5, mode: 'first', areas: {} })
})

class Client {}

const live: ReadonlyArray<[title: string, given: object, at: string, fix: string]> = [
  ['a function', { name: 'x', store: () => 1 }, 'svc-example.store', 'pass it as parts.store'],
  ['an instance', { name: 'x', store: new Client() }, 'svc-example.store', 'pass it as parts.store'],
  ['a date', { name: 'x', store: new Date() }, 'svc-example.store', 'pass it as parts.store'],
  ['a map', { name: 'x', areas: new Map() }, 'svc-example.areas', 'pass it as parts.areas'],
  ['a class inside a list', { name: 'x', voters: [Client] }, 'svc-example.voters[0]', 'pass it as parts.voters'],
  ['a symbol', { name: Symbol('x') }, 'svc-example.name', 'pass it as parts.name']
]

for (const [title, given, at, fix] of live) {
  t.test(`a live object: ${title}`, async (t) => {
    const { problems } = checkOptions('svc-example', schema, given)
    t.same(problems, [
      { code: 'SVC_KERNEL_OPTIONS', message: 'a live object cannot be an option', at, expected: 'plain data', fix }
    ])
  })
}

t.test('data that holds itself is refused without an endless walk', async (t) => {
  const loop: Record<string, unknown> = { name: 'x' }
  loop.self = loop
  t.match(checkOptions('svc-example', schema, loop).problems, [{ at: 'svc-example.self' }])
})

t.test('the error names the plugin, all problems, and no secret', async (t) => {
  try {
    readOptions('svc-example', schema, { encryptionKey: 'hunter2', maxRetires: 1 })
    t.fail('accepted')
  } catch (error) {
    const { problems, message, code, statusCode } = error as BootError
    t.equal(problems.length, 3)
    t.match(message, /^3 problems\n✖ SVC_KERNEL_OPTIONS {2}missing key\n {2}at: svc-example\.name/)
    t.notMatch(message, /hunter2/)
    t.same([code, statusCode, error instanceof TypeError], ['SVC_KERNEL_OPTIONS', 500, true])
  }
})

t.test('a schema with a keyword nobody knows is a mistake of the plugin', async (t) => {
  t.throws(() => readOptions('x', { type: 'object', propertys: {} }, {}), { message: /strict mode: unknown keyword/ })
})

t.test('two schemas may carry the same $id', async (t) => {
  t.same(readOptions('a', { $id: 'same', type: 'object', properties: { n: { default: 1 } } }), { n: 1 })
  t.same(readOptions('b', { $id: 'same', type: 'object', properties: { n: { default: 2 } } }), { n: 2 })
})
