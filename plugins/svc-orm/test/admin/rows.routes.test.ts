/** Rows of entities: off unless told, for two roles, page by page, and each look in the journal. */
import type { FastifyInstance } from 'fastify'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import { defineEntity, type EntityDefinition, type SvcOrmOptions } from '../../src/index.ts'
import { adminApplication } from '../support/admin-application.ts'

const ROWS = '/svc/orm/api/entities/Book/rows'
const BOTH = 'ROLE_SVC_ADMIN,ROLE_SVC_DATA'

const Book = defineEntity({
  name: 'Book',
  softDelete: true,
  schema: {
    title: { type: 'string' },
    pages: { type: 'integer', nullable: true },
    price: { type: 'decimal', scale: 2 },
    tags: { type: 'string', array: true },
    accessToken: { type: 'string', nullable: true }
  }
})

interface Answer {
  readonly fields: readonly string[]
  readonly items: readonly { readonly values: Record<string, unknown>; readonly cut: readonly string[] }[]
  readonly next: string | null
}

/** @returns the application, and what the journal was told */
async function app(
  t: Test,
  options: SvcOrmOptions = { admin: { rows: true } },
  entities: readonly EntityDefinition[] = [Book]
) {
  const { fastify, events: looks } = await adminApplication(t, options, entities)
  fastify.orm.addConnector(memoryDatabase({ name: 'other' }))
  await fastify.ready()
  const books = fastify.orm.repository(Book)
  for (let index = 0; index < 5; index += 1) {
    const tags = index % 2 === 0 ? ['even'] : []
    await books.create({ title: `t${index}`, pages: index === 4 ? null : index, price: '1.50', tags, accessToken: 'S' })
  }
  return { fastify, looks }
}

const get = (fastify: FastifyInstance, query: Readonly<Record<string, string>> = {}, roles = BOTH) =>
  fastify.inject({ url: ROWS, query, headers: { 'x-roles': roles } })
const titles = ({ items }: Answer) => items.map(({ values }) => values.title)
t.test(
  'closed to whom one of the roles is missing; off, it says so to who may ask, and looks at nothing',
  async (t) => {
    const { fastify: on } = await app(t)
    const { fastify: off, looks } = await app(t, {})
    for (const roles of ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA', 'ROLE_USER']) {
      t.equal((await get(on, {}, roles)).statusCode, 403, roles)
      t.equal((await get(off, {}, roles)).statusCode, 403, roles)
    }
    t.equal((await on.inject(ROWS)).statusCode, 403, 'nobody')
    t.match((await get(off)).json(), { statusCode: 404, code: 'SVC_ORM_ROWS_OFF' })
    t.equal((await get(on)).headers['cache-control'], 'no-store')
    t.strictSame(looks, [])
  }
)

t.test('page by page, each row once; a look is an event without values', async (t) => {
  const { fastify, looks } = await app(t)
  const first = (await get(fastify, { limit: '2', order: 'title:DESC' })).json<Answer>()
  t.strictSame(titles(first), ['t4', 't3'])
  const { next } = first
  await fastify.orm.repository(Book).create({ title: 't9', price: '1', tags: [] })
  const second = await get(fastify, { limit: '2', order: 'title:DESC', after: next ?? '' })
  t.strictSame(titles(second.json()), ['t2', 't1'])
  t.notMatch(second.body, '"S"')
  t.match(second.json(), {
    connector: 'memory',
    entity: 'Book',
    fields: ['id', 'title', 'pages', 'price', 'tags', 'deletedAt'],
    masked: ['accessToken'],
    items: [{ values: { title: 't2', price: '1.50', tags: ['even'] }, cut: [] }, {}]
  })
  await get(fastify, { where: '{"title":"t0"}' })
  const [begun, , last] = looks
  t.match(begun, {
    action: 'data.viewed',
    actor: 'root',
    resource: 'memory.Book',
    category: 'authz',
    outcome: 'success'
  })
  t.match(last, { metadata: { where: ['title'], rows: 1 } })
  t.notMatch(JSON.stringify(last), 't0')
})

t.test('filters by what a field holds, null and items of lists included; deleted rows are not there', async (t) => {
  const { fastify } = await app(t)
  const found = async (where: object) => titles((await get(fastify, { where: JSON.stringify(where) })).json())
  t.strictSame(await found({ pages: 2 }), ['t2'])
  t.strictSame(await found({ pages: null }), ['t4'])
  t.strictSame(await found({ tags: 'even', title: 't2' }), ['t2'])
  t.strictSame(await found({ price: '1.5' }).then(({ length }) => length), 5)
  await fastify.orm.repository(Book).delete({ title: 't2' })
  t.strictSame(await found({ pages: 2 }), [])
})

t.test(
  'X3: a field that is hidden is masked, one that says it is not is shown, and no cursor holds a masked one',
  async (t) => {
    const Key = defineEntity({
      name: 'Key',
      schema: {
        title: { type: 'string' },
        memo: { type: 'string', hidden: true },
        phrase: { type: 'string', hidden: 'write-only' },
        key: { type: 'string' },
        publicKey: { type: 'string', hidden: false }
      }
    })
    const { fastify } = await app(t, { admin: { rows: true } }, [Book, Key])
    const values = { memo: 'S', phrase: 'S', key: 'S', publicKey: 'open' }
    for (const title of ['a', 'b']) await fastify.orm.repository(Key).create({ ...values, title })
    const rows = (query: Record<string, string>) =>
      fastify.inject({ url: ROWS.replace('Book', 'Key'), query, headers: { 'x-roles': BOTH } })
    const first = await rows({ limit: '1', order: 'publicKey:ASC' })
    t.match(first.json(), { fields: ['id', 'title', 'publicKey'], masked: ['memo', 'phrase', 'key'] })
    t.notMatch(first.body, '"S"')
    const cursor = Buffer.from(first.json<Answer>().next ?? '', 'base64url').toString()
    t.match(JSON.parse(cursor), { by: ['publicKey ASC', 'id ASC'], at: ['open', String] })
    for (const name of ['memo', 'phrase', 'key']) {
      for (const query of [{ order: `${name}:ASC` }, { where: JSON.stringify({ [name]: 'S' }) }]) {
        t.match((await rows(query)).json(), { code: 'SVC_ORM_UNKNOWN_FIELD' }, JSON.stringify(query))
      }
      const forged = Buffer.from(JSON.stringify({ by: [`${name} ASC`, 'id ASC'], at: ['S', 'x'] })).toString(
        'base64url'
      )
      t.match((await rows({ after: forged })).json(), { code: 'SVC_ORM_OPTIONS' }, 'nor is one made for it taken')
    }
    const entities = await fastify.inject({ url: '/svc/orm/api/entity/Key', headers: { 'x-roles': BOTH } })
    const hidden = entities
      .json<{ columns: { name: string; hidden: boolean }[] }>()
      .columns.filter((each) => each.hidden)
    t.strictSame(
      hidden.map(({ name }) => name),
      ['memo', 'phrase']
    )
  }
)

t.test('what it does not know is refused, and never tells of a secret', async (t) => {
  const { fastify, looks } = await app(t)
  const refused: readonly (readonly [query: Readonly<Record<string, string>>, code: string])[] = [
    [{ where: '{' }, 'SVC_ORM_CRITERIA'],
    [{ where: '[]' }, 'SVC_ORM_CRITERIA'],
    [{ where: '{"pages":{"$gt":1}}' }, 'SVC_ORM_CRITERIA'],
    [{ where: '{"pages":"two"}' }, 'SVC_ORM_CRITERIA'],
    [{ where: '{"accessToken":"S"}' }, 'SVC_ORM_UNKNOWN_FIELD'],
    [{ where: '{"$or":1}' }, 'SVC_ORM_UNKNOWN_FIELD'],
    [{ order: 'accessToken:ASC' }, 'SVC_ORM_UNKNOWN_FIELD'],
    [{ order: 'title' }, 'SVC_ORM_OPTIONS'],
    [{ order: 'title:SIDEWAYS' }, 'SVC_ORM_OPTIONS'],
    [{ order: 'pages:ASC' }, 'SVC_ORM_OPTIONS'],
    [{ order: 'tags:ASC' }, 'SVC_ORM_OPTIONS'],
    [{ after: 'e30' }, 'SVC_ORM_OPTIONS'],
    [{ limit: '101' }, 'SVC_HTTP_VALIDATION'],
    [{ limit: '0' }, 'SVC_HTTP_VALIDATION'],
    [{ nope: '1' }, 'SVC_HTTP_VALIDATION']
  ]
  for (const [query, code] of refused) {
    t.match((await get(fastify, query)).json(), { statusCode: 400, code }, JSON.stringify(query))
  }
  t.match((await get(fastify, { connector: 'other' })).json(), { statusCode: 404, code: 'SVC_ORM_NO_ENTITY' })
  t.match((await get(fastify, { connector: 'nope' })).json(), { statusCode: 404, code: 'SVC_ORM_NO_CONNECTOR' })
  t.strictSame(looks, [])
})
