/** One row, read whole and changed by administrators: off unless told, for a role of its own, by the rules of the entity. */
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { defineEntity, type EntityDefinition, type SvcOrmOptions, withHooks } from '../../src/index.ts'
import { adminApplication } from '../support/admin-application.ts'

const WRITER = 'ROLE_SVC_ADMIN,ROLE_SVC_DATA,ROLE_SVC_DATA_WRITE'
const READER = 'ROLE_SVC_ADMIN,ROLE_SVC_DATA'
const LONG = 'x'.repeat(300)

const Book = withHooks(
  defineEntity({
    name: 'Book',
    softDelete: true,
    version: true,
    timestamps: true,
    schema: {
      title: { type: 'string', unique: true, check: { minLength: 2 } },
      pages: { type: 'integer', nullable: true, check: { max: 9000 } },
      price: { type: 'decimal', scale: 2, default: '1.00' },
      note: { type: 'text', nullable: true },
      accessToken: { type: 'string', nullable: true }
    }
  }),
  {
    beforeUpdate: (changes) => {
      if (changes.note === 'forbidden') throw Object.assign(new Error('not this'), { statusCode: 409, code: 'OWN' })
    }
  }
)
const Account = defineEntity({
  name: 'Account',
  schema: { mail: { type: 'string' }, passwordHash: { type: 'string' } }
})
const Ledger = defineEntity({ name: 'Ledger', existing: { name: 'ledger' }, schema: { sum: { type: 'integer' } } })

async function app(
  t: Test,
  options: SvcOrmOptions = { admin: { rows: true, write: true } },
  entities: readonly EntityDefinition[] = [Book, Account, Ledger]
) {
  const { fastify, events } = await adminApplication(t, options, entities)
  await fastify.ready()
  return { fastify, events }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

async function call(fastify: FastifyInstance, method: Method, path: string, payload?: object, roles = WRITER) {
  const url = `/svc/orm/api/entities/${path}`
  const answer = await fastify.inject({ method, url, headers: { 'x-roles': roles }, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json(), headers: answer.headers }
}

t.test('closed without the role, and where the operator has not said so', async (t) => {
  const { fastify } = await app(t)
  const { fastify: readOnly, events } = await app(t, { admin: { rows: true } })
  const { fastify: off } = await app(t, { admin: { write: true } })
  const { id } = await fastify.orm.repository(Book).create({ title: 'one' })
  for (const [method, path] of [
    ['POST', 'Book/rows'],
    ['PATCH', `Book/rows/${id}`],
    ['DELETE', `Book/rows/${id}`]
  ] as const) {
    const payload = method === 'DELETE' ? undefined : { values: { title: 'no' } }
    t.equal((await call(fastify, method, path, payload, READER)).status, 403, `${method} by a reader`)
    t.equal(
      (await call(fastify, method, path, payload, 'ROLE_SVC_DATA_WRITE')).status,
      403,
      `${method} by no administrator`
    )
    for (const other of [readOnly, off]) {
      t.match((await call(other, method, path, payload)).body, { statusCode: 404, code: 'SVC_ORM_ROWS_OFF' })
    }
  }
  t.equal((await call(fastify, 'GET', `Book/rows/${id}`, undefined, 'ROLE_SVC_ADMIN')).status, 403)
  t.strictSame(events, [])
  t.equal(await fastify.orm.repository(Book).count({ title: 'one' }), 1)
})

t.test(
  'a row is created, read whole, changed and deleted; the journal has before and after, never a secret',
  async (t) => {
    const { fastify, events } = await app(t)
    const created = await call(fastify, 'POST', 'Book/rows', { values: { title: 'Dune', note: LONG } })
    t.match(created, {
      status: 201,
      headers: { 'cache-control': 'no-store' },
      body: {
        entity: 'Book',
        masked: ['accessToken'],
        values: { title: 'Dune', note: LONG, price: '1.00', version: 1 }
      }
    })
    const { id } = created.body.values
    await fastify.orm.repository(Book).updateOne({ id }, { accessToken: 'SECRET' })
    const read = await call(fastify, 'GET', `Book/rows/${id}`, undefined, READER)
    t.match(read, { status: 200, body: { values: { id, title: 'Dune', note: LONG, version: 2 } } })
    t.notOk('accessToken' in read.body.values)

    const changed = await call(fastify, 'PATCH', `Book/rows/${id}`, { values: { pages: 412, note: null }, version: 2 })
    t.match(changed, { status: 200, body: { values: { pages: 412, note: null, title: 'Dune', version: 3 } } })
    t.equal((await call(fastify, 'DELETE', `Book/rows/${id}?version=3`)).status, 204)
    t.equal((await call(fastify, 'GET', `Book/rows/${id}`)).status, 404)
    t.equal(await fastify.orm.repository(Book).withDeleted().count({ id }), 1, 'marked, as the entity says')

    t.strictSame(
      events.map(({ action, actor, resource }) => `${action} ${actor} ${resource}`),
      [
        'data.changed root memory.Book',
        'data.viewed root memory.Book',
        'data.changed root memory.Book',
        'data.changed root memory.Book'
      ]
    )
    const [, , update, removal] = events
    t.match(update?.metadata, {
      change: 'update',
      id,
      before: { pages: null, version: 2 },
      after: { pages: 412, version: 3 }
    })
    const before = (update?.metadata?.before ?? {}) as Record<string, unknown>
    t.strictSame(
      Object.keys(before).sort(),
      ['note', 'pages', 'updatedAt', 'version'],
      'what changed, and nothing else'
    )
    t.equal(String(before.note).length, 201, 'long values are cut')
    t.match(removal?.metadata, { change: 'delete', before: { title: 'Dune', pages: 412 } })
    t.notMatch(JSON.stringify(events), /SECRET/)
  }
)

t.test('the rules of the entity hold, and all faults are told together', async (t) => {
  const { fastify, events } = await app(t)
  const books = fastify.orm.repository(Book)
  const row = await books.create({ title: 'Dune' })
  await books.create({ title: 'Emma' })
  const change = (values: object, version: number | null = 1) =>
    call(fastify, 'PATCH', `Book/rows/${row.id}`, { values, ...(version !== null && { version }) })
  const { body } = await call(fastify, 'POST', 'Book/rows', { values: { title: 'x', pages: 'many', colour: 'red' } })
  t.match(body, { statusCode: 400, code: 'SVC_HTTP_VALIDATION' })
  t.strictSame(body.details.map(({ path }: { path: string }) => path).sort(), [
    '/values/colour',
    '/values/pages',
    '/values/title'
  ])
  t.match((await change({ accessToken: 'mine' })).body, { statusCode: 400 }, 'a secret is unknown here')
  t.match((await change({ pages: 9001 })).body, { statusCode: 400 })
  t.match((await change({ title: 'Emma' })).body, { statusCode: 409, code: 'SVC_ORM_UNIQUE' })
  t.match((await change({ note: 'forbidden' })).body, { statusCode: 409, code: 'OWN' }, 'a hook refuses')
  t.match((await change({ pages: 1 }, null)).body, { statusCode: 400, code: 'SVC_ORM_VERSION_REQUIRED' })
  t.match((await change({ pages: 1 }, 7)).body, { statusCode: 409, code: 'SVC_ORM_VERSION' })
  t.match((await call(fastify, 'DELETE', `Book/rows/${row.id}`)).body, { code: 'SVC_ORM_VERSION_REQUIRED' })
  t.match((await call(fastify, 'DELETE', `Book/rows/${row.id}?version=2`)).body, { code: 'SVC_ORM_VERSION' })
  for (const path of ['Book/rows/none', `Book/rows/${row.id}x`]) {
    t.match((await call(fastify, 'PATCH', path, { values: {}, version: 1 })).body, { statusCode: 404 }, path)
  }
  t.match((await call(fastify, 'POST', 'Bok/rows', { values: {} })).body, { code: 'SVC_ORM_NO_ENTITY' })
  t.match((await call(fastify, 'POST', 'Account/rows', { values: { mail: 'a' } })).body, {
    statusCode: 409,
    code: 'SVC_ORM_HIDDEN_REQUIRED',
    message: /passwordHash/
  })
  t.match((await call(fastify, 'POST', 'Ledger/rows', { values: { sum: 1 } })).body, { code: 'SVC_ORM_READ_ONLY' })
  t.match(await books.findOne({ id: row.id }), { title: 'Dune', pages: null, version: 1 }, 'nothing was changed')
  t.strictSame(events, [])
})

t.test('references are kept: a missing owner, and a row that others refer to', async (t) => {
  const Shelf = defineEntity({ name: 'Shelf', schema: { name: { type: 'string' } } })
  const Jar = defineEntity({
    name: 'Jar',
    schema: { label: { type: 'string' } },
    relations: { shelf: { type: 'many-to-one', target: 'Shelf' } }
  })
  const { fastify, events } = await app(t, { admin: { rows: true, write: true } }, [Shelf, Jar, Book])
  const { id } = await fastify.orm.repository(Shelf).create({ name: 'top' })
  const gone = fastify.orm.connectors()[0]?.ids.generate()
  const jar = (shelfId: unknown) => call(fastify, 'POST', 'Jar/rows', { values: { label: 'jam', shelfId } })
  t.match((await jar(gone)).body, { statusCode: 400, code: 'SVC_ORM_REFERENCE_MISSING' })
  t.equal((await jar(id)).status, 201)
  t.match((await call(fastify, 'DELETE', `Shelf/rows/${id}`)).body, { statusCode: 409, code: 'SVC_ORM_REFERENCED' })
  t.equal(events.length, 1)
})

t.test('a row of a scope is created in the scope that it names, and keeps it', async (t) => {
  const Invoice = defineEntity({
    name: 'Invoice',
    scope: 'organization',
    schema: { number: { type: 'string', unique: true } }
  })
  const { fastify, events } = await app(t, { admin: { rows: true, write: true } }, [Invoice, Book])
  const create = (values: object) => call(fastify, 'POST', 'Invoice/rows', { values })
  t.match((await create({ number: '1' })).body, { statusCode: 400 }, 'which is required')
  const { status, body } = await create({ number: '1', organizationId: 'acme' })
  t.equal(status, 201)
  t.equal((await create({ number: '1', organizationId: 'other' })).status, 201, 'unique within a scope')
  const path = `Invoice/rows/${body.values.id}`
  t.match((await call(fastify, 'PATCH', path, { values: { organizationId: 'other' } })).body, { statusCode: 400 })
  t.match((await call(fastify, 'PATCH', path, { values: { number: '2' } })).body.values, {
    organizationId: 'acme',
    number: '2'
  })
  t.equal((await call(fastify, 'DELETE', path)).status, 204)
  const recorded = (action: string) => events.filter((event) => event.action === action).length
  t.strictSame([recorded('data.changed'), recorded('data.crossed')], [4, 4], 'each change says that it crosses scopes')
})
