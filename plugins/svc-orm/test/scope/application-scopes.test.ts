/** Scopes of an application: its requests, what they have read, the way out and its event, the admin plane, seeds. */
import { mkdirSync, writeFileSync } from 'node:fs'
import Fastify from 'fastify'
import { type AuditRecord, createAccessToken, requestChannels } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcOrm, { defineEntity, type SvcOrmOptions } from '../../src/index.ts'

const Note = defineEntity({
  name: 'Note',
  scope: 'organization',
  schema: { title: { type: 'string' }, slug: { type: 'string', unique: true } }
})

async function app(t: Test, options: SvcOrmOptions = {}, audited = true) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const events: AuditRecord[] = []
  if (audited) fastify.decorate('audit', { record: (event: AuditRecord) => void events.push(event) } as never)
  let asked = 0
  const organization = ({ headers }: { headers: Record<string, unknown> }) => {
    asked += 1
    return (headers['x-organization'] as string | undefined) ?? null
  }
  await fastify.register(svcOrm, { memory: true, ...options, parts: { entities: [Note], scopes: { organization } } })
  fastify.addHook('onRequest', async (request) => {
    const user = { identifier: 'root', roles: ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA'] }
    request.token = createAccessToken({ type: 'session', user })
    request.user = user
  })
  fastify.accessGate.use({ allows: () => true })
  const { orm } = fastify
  const notes = () => orm.repository(Note)
  fastify.get('/titles', () => notes().distinct('title'))
  fastify.get('/count', () => notes().count())
  fastify.get('/stream', async (_request, reply) => {
    const stream = notes().stream()
    return reply.send(ReadableStream.from(lines(stream)))
  })
  fastify.get('/cached/:slug', async ({ params }) => {
    const key = { slug: (params as { slug: string }).slug }
    const all = await orm.acrossScopes('to fill the cache', () =>
      orm.withScope({ organization: 'b' }, () => notes().findOne(key, { cache: 'request' }))
    )
    const own = await notes().findOne(key, { cache: 'request' })
    const again = await notes().findOne(key, { cache: 'request' })
    const foreign = await notes().findOne({ ...key, organizationId: 'b' }, { cache: 'request' })
    const across = await orm.acrossScopes('to read it', () =>
      notes().findOne({ id: all?.id as string }, { cache: 'request' })
    )
    return [all, own, again, foreign, across].map((row) => row?.organizationId ?? null)
  })
  fastify.get('/leave', () => orm.acrossScopes('a report', () => notes().count()))
  fastify.get('/nested', async () => (await fastify.inject({ url: '/titles' })).statusCode)
  fastify.get('/none', async () => 'nothing asked')
  await fastify.ready()
  for (const id of ['a', 'b']) {
    await orm.withScope({ organization: id }, () => notes().create({ title: `of ${id}`, slug: 'same' }))
  }
  const get = (url: string, organisation?: string) =>
    fastify.inject({ url, headers: organisation === undefined ? {} : { 'x-organization': organisation } })
  return { fastify, orm, notes, events, get, asked: () => asked }
}

async function* lines(rows: AsyncIterable<{ readonly title: string }>): AsyncGenerator<string> {
  for await (const { title } of rows) yield `${title}\n`
}

t.test('a request sees its own rows, and without a scope it fails', async (t) => {
  const { get, asked } = await app(t)
  t.strictSame((await get('/titles', 'a')).json(), ['of a'])
  t.strictSame((await get('/titles', 'b')).json(), ['of b'])
  t.strictSame((await get('/titles', 'c')).json(), [])
  t.equal((await get('/stream', 'b')).body, 'of b\n')
  t.match((await get('/titles')).json(), { statusCode: 500, code: 'SVC_ORM_NO_SCOPE' })
  const before = asked()
  await get('/none', 'a')
  t.equal(asked(), before, 'nothing is asked of a request that needs no scope')
  t.equal((await get('/nested', 'a')).body, '500', 'a request that a request makes has a scope of its own')
})

t.test('a row that the request has read in another scope is not found', async (t) => {
  const { get } = await app(t)
  t.strictSame((await get('/cached/same', 'a')).json(), ['b', 'a', 'a', null, 'b'])
})

t.test('who leaves the scope says why, and the journal keeps it', async (t) => {
  const { get, orm, notes, events } = await app(t)
  t.equal((await get('/leave', 'a')).body, '2')
  t.match(events, [
    {
      category: 'authz',
      action: 'data.crossed',
      outcome: 'success',
      actor: 'root',
      reason: 'a report',
      requestId: /./,
      ip: '127.0.0.1'
    }
  ])
  await orm.acrossScopes('a nightly job', () => notes().count())
  t.match(events[1], { action: 'data.crossed', actor: null, reason: 'a nightly job', requestId: null })
  for (const reason of ['', '  ', 'x'.repeat(201), 7, undefined]) {
    t.throws(() => orm.acrossScopes(reason as string, () => notes().count()), { code: 'SVC_ORM_OPTIONS' })
  }
  t.equal(events.length, 2)
  await orm.acrossScopes('x'.repeat(200), () => notes().count())
})

t.test('without a journal it is logged', async (t) => {
  const { orm } = await app(t, {}, false)
  t.equal(
    orm.acrossScopes('a report', () => 7),
    7
  )
})

t.test('administrators see the rows of all, which is recorded; counts count all', async (t) => {
  const { get, events } = await app(t, { admin: { rows: true } })
  const rows = (await get('/svc/orm/api/entities/Note/rows')).json()
  t.strictSame(rows.fields, ['id', 'title', 'slug', 'organizationId'])
  t.strictSame(rows.items.map(({ values }: { values: { title: string } }) => values.title).sort(), ['of a', 'of b'])
  t.strictSame(
    events.map(({ action, reason = null }) => [action, reason]),
    [
      ['data.crossed', 'rows of Note are shown to an administrator'],
      ['data.viewed', null]
    ]
  )
  t.strictSame((await get('/svc/orm/api/counts')).json(), { 'memory.Note': 2 })
  t.match((await get('/svc/orm/api/entity/Note')).json(), { scope: 'organization' })
  t.match((await get('/svc/orm/api/export/dbml')).json().content, /of one organization each/)
})

t.test('a call is traced with the name of its scope, and without a value', async (t) => {
  const { orm, notes } = await app(t)
  const plans: string[] = []
  const subscriber = { start: ({ plan }: { plan: string }) => void plans.push(plan) }
  const stop = requestChannels.repository.subscribe(subscriber as never)
  t.teardown(() => (typeof stop === 'function' ? (stop as () => void)() : undefined))
  await orm.withScope({ organization: 'secret' }, () => notes().find({ title: 'x' }))
  await orm.acrossScopes('a report', () => notes().count())
  t.strictSame(plans, [
    'find Note within organization where title = ? order by id asc',
    'count Note across organization'
  ])
})

t.test('seeds run across scopes', async (t) => {
  const folder = t.testdir({})
  mkdirSync(`${folder}/seeds`)
  const seed = `export default async ({ repository }) => {
    await repository('Note').create({ title: 'seeded', slug: 's', organizationId: 'c' })
  }`
  writeFileSync(`${folder}/seeds/1-notes.js`, seed)
  const { orm } = await app(t, { seeds: `${folder}/seeds` })
  await orm.seeds.prepare()
  await orm.seeds.run()
  t.equal(await orm.withScope({ organization: 'c' }, () => orm.repository(Note).count()), 1)
})
