/** The views of the database: who may see them, what they show, and what they never do. */
import Fastify, { type FastifyInstance } from 'fastify'
import { createAccessToken } from 'svc-kernel'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import { defineEntity } from '../../src/entities/entity-definition.ts'
import svcOrm from '../../src/index.ts'

const API = '/svc/orm/api'
const NOW = 1_700_000_000_000
const clock = { now: () => NOW }

const Author = defineEntity({
  name: 'Author',
  module: 'library',
  schema: { name: { type: 'string', unique: true } },
  relations: { books: { type: 'one-to-many', target: 'Book', mappedBy: 'author' } }
})
const Book = defineEntity({
  name: 'Book',
  schema: { tags: { type: 'string', array: true, nullable: true } },
  relations: { author: { type: 'many-to-one', target: 'Author' } }
})

const PATHS = [
  'orms',
  'entities',
  'entity/Book',
  'graph',
  'counts',
  'connection/health',
  'flow',
  'schema',
  'locks',
  'export/dbml',
  'export/jsonschema'
]

/** Its driver hands over a target as it got it, and its database is gone. */
function goneConnector() {
  const target = 'mongodb://root:SECRET@a:1,b:2/shop?password=SECRET'
  return Object.defineProperties(memoryDatabase({ name: 'gone', clock }), {
    connection: { value: { driver: 'other', target, version: null } },
    connected: { value: false }
  })
}

/** An application whose caller holds the roles of the header `x-roles`. */
async function app(t: Test, { jury = true } = {}): Promise<FastifyInstance> {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { memory: true, flow: { slowMs: 0 }, parts: { entities: [Author, Book], clock } })
  fastify.orm.addConnector(goneConnector())
  fastify.addHook('onRequest', async (request) => {
    const roles = request.headers['x-roles']
    if (typeof roles !== 'string') return
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: roles.split(',') } })
  })
  if (jury) {
    fastify.accessGate.use({
      allows: (token, requirement) =>
        requirement.every((clause) => clause.some(({ attribute }) => token.user.roles.includes(attribute)))
    })
  }
  await fastify.ready()
  return fastify
}

function get(fastify: FastifyInstance, path: string, roles = 'ROLE_SVC_ADMIN') {
  return fastify.inject({ url: `${API}/${path}`, headers: { 'x-roles': roles } })
}

t.test('without a jury, without an identity, without the role: 403 on every view', async (t) => {
  const closed = await app(t, { jury: false })
  const open = await app(t)
  for (const path of PATHS) {
    t.equal((await get(closed, path)).statusCode, 403, `${path}: no jury`)
    t.equal((await open.inject(`${API}/${path}`)).statusCode, 403, `${path}: no identity`)
    t.equal((await get(open, path, 'ROLE_USER')).statusCode, 403, `${path}: another role`)
    t.equal((await get(open, `${path}?nope=1`, 'ROLE_USER')).statusCode, 403, `${path}: before any validation`)
    t.equal((await open.inject({ method: 'HEAD', url: `${API}/${path}` })).statusCode, 403, `${path}: HEAD`)
    t.equal((await get(open, path)).statusCode, 200, path)
    t.equal((await get(open, path)).headers['cache-control'], 'no-store')
  }
})

t.test('C25: a format of an export is known however it is spelt', async (t) => {
  const fastify = await app(t)
  const spellings = {
    dbml: ['DBML', 'Dbml'],
    jsonschema: ['json-schema', 'JSON-Schema', 'JSON_SCHEMA', 'JsonSchema', 'JSON%20Schema']
  }
  for (const [format, others] of Object.entries(spellings)) {
    const expected = (await get(fastify, `export/${format}`)).json()
    for (const other of others) t.strictSame((await get(fastify, `export/${other}`)).json(), expected, other)
  }
})

t.test('unknown parameters 400, unknown connectors and entities 404, unknown formats 400', async (t) => {
  const fastify = await app(t)
  for (const path of PATHS) {
    t.equal((await get(fastify, `${path}?conector=memory`)).statusCode, 400, path)
    t.match(
      (await get(fastify, `${path}?connector=nope`)).json(),
      { statusCode: 404, code: 'SVC_ORM_NO_CONNECTOR' },
      path
    )
    t.equal((await get(fastify, `${path}?connector=`)).statusCode, 400, path)
  }
  t.match((await get(fastify, 'entity/Nope')).json(), { statusCode: 404, code: 'SVC_ORM_NO_ENTITY' })
  t.match((await get(fastify, 'entity/Book?connector=gone')).json(), { statusCode: 404 })
  for (const format of ['sql', 'dbm', 'constructor', '__proto__', '%22']) {
    t.match((await get(fastify, `export/${format}`)).json(), { statusCode: 400, code: 'SVC_ORM_EXPORT_FORMAT' }, format)
  }
  t.equal(
    (await fastify.inject({ method: 'POST', url: `${API}/orms`, headers: { 'x-roles': 'ROLE_SVC_ADMIN' } })).statusCode,
    404
  )
})

t.test('locks: those that are held, on every connector that can be asked', async (t) => {
  const fastify = await app(t)
  t.strictSame((await get(fastify, 'locks')).json(), [])
  const held = await fastify.orm.lock('nightly', async ({ fence }) => ({ fence, seen: await get(fastify, 'locks') }))
  const [shown, ...others] = held.seen.json()
  t.match(shown.holder, /^.+:\d+$/)
  t.strictSame(others, [])
  t.strictSame(shown, { connector: 'memory', name: 'nightly', holder: shown.holder, since: NOW, fence: held.fence })
  t.strictSame((await get(fastify, 'locks?connector=gone')).json(), [])
})

t.test('orms: each connector, and no credentials', async (t) => {
  const fastify = await app(t)
  t.strictSame((await get(fastify, 'orms')).json(), [
    {
      name: 'memory',
      vendor: 'memory',
      default: true,
      connected: true,
      entityCount: 2,
      connection: { driver: 'svc-stores', target: 'memory', version: null }
    },
    {
      name: 'gone',
      vendor: 'memory',
      default: false,
      connected: false,
      entityCount: 0,
      connection: { driver: 'other', target: 'mongodb://a:1,b:2/shop', version: null }
    }
  ])
  t.strictSame((await get(fastify, 'orms?connector=gone')).json<{ name: string }[]>().length, 1)
  for (const path of PATHS) t.notMatch((await get(fastify, path)).body, /SECRET/, path)
})

const plain = { primaryKey: false, nullable: false, unique: false, managed: false }
const BOOK = {
  name: 'Book',
  connector: 'memory',
  module: null,
  storedAs: 'book',
  existing: false,
  readOnly: false,
  timestamps: false,
  softDelete: false,
  version: false,
  columns: [
    { name: 'id', type: 'id', ...plain, primaryKey: true, unique: true, managed: true },
    { name: 'tags', type: 'string[]', ...plain, nullable: true },
    { name: 'authorId', type: 'id', ...plain }
  ],
  relations: [
    {
      ...{ type: 'many-to-one', target: 'Author', field: 'author', foreignKey: 'authorId' },
      ...{ onDelete: 'restrict', deferrable: false }
    }
  ],
  referredBy: [],
  indexes: [{ fields: ['authorId'], unique: false }]
}

t.test('entities, one entity, the graph', async (t) => {
  const fastify = await app(t)
  t.strictSame((await get(fastify, 'entity/Book')).json(), BOOK)
  const entities = (await get(fastify, 'entities')).json<(typeof BOOK)[]>()
  t.strictSame(entities[1], BOOK)
  t.match(entities[0], {
    module: 'library',
    relations: [
      {
        ...{ type: 'one-to-many', target: 'Book', field: 'books', foreignKey: 'Book.authorId' },
        ...{ onDelete: null, deferrable: false }
      }
    ],
    referredBy: [{ entity: 'Book', type: 'many-to-one', field: 'author', foreignKey: 'authorId' }]
  })
  t.strictSame((await get(fastify, 'graph')).json(), { orms: (await get(fastify, 'orms')).json(), entities })
  t.strictSame((await get(fastify, 'entities?connector=gone')).json(), [])
})

t.test('counts, health and flow', async (t) => {
  const fastify = await app(t)
  const authors = fastify.orm.repository(Author)
  await authors.create({ name: 'Ada' })
  await authors.create({ name: 'Ada' }).catch(() => null)
  t.match((await get(fastify, 'flow')).json(), {
    enabled: true,
    ts: NOW,
    slowMs: 0,
    connectors: [
      { connector: 'memory', total: 2, slowTotal: 2, slow: [{ entity: 'Author', operation: 'create', ts: NOW }, {}] },
      { connector: 'gone', total: 0, slow: [] }
    ]
  })
  t.strictSame((await get(fastify, 'counts')).json(), { 'memory.Author': 1, 'memory.Book': 0 })
  const [health] = (await get(fastify, 'connection/health')).json<Record<string, unknown>[]>()
  t.match(health, {
    name: 'memory',
    vendor: 'memory',
    driver: 'svc-stores',
    target: 'memory',
    connected: true,
    connectedSince: NOW,
    connectCount: 1,
    reconnectCount: 0,
    errorCount: 0,
    lastError: null,
    pingMs: 0,
    latency: { samples: 4 },
    pool: null
  })
})

t.test('counts of a database that cannot be asked are null, and hide no other', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const failing = memoryDatabase({ name: 'failing' })
  const Note = defineEntity({ name: 'Note', schema: {} })
  await fastify.register(svcOrm, { parts: { entities: [Note] } })
  fastify.orm.addConnector(failing)
  fastify.addHook('onRequest', async (request) => {
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: [] } })
  })
  fastify.accessGate.use({ allows: () => true })
  await fastify.ready()
  const repository = fastify.orm.repository(Note)
  repository.count = () => Promise.reject(new Error('gone: SECRET'))
  const answer = await get(fastify, 'counts')
  t.strictSame(answer.json(), { 'failing.Note': null })
})

t.test('exports as text', async (t) => {
  const fastify = await app(t)
  const dbml = (await get(fastify, 'export/dbml')).json<{ format: string; content: string }>()
  t.equal(dbml.format, 'dbml')
  t.match(dbml.content, 'Table "memory"."book" {')
  const schema = (await get(fastify, 'export/jsonschema?connector=memory')).json<{ format: string; content: string }>()
  t.match(JSON.parse(schema.content), { $defs: { 'memory.Book': { title: 'Book' } } })
})
