/** Rows of an entity and the state of its schema, as administrators see them, on every database. */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { ModuleEntry } from 'svc-host'
import { createAccessToken } from 'svc-kernel'
import svcOrm, { defineEntity } from 'svc-orm'
import t from 'tap'
import { onEveryDatabase } from '../support/entity-databases.ts'
import { startApp } from '../support/start-app.ts'

const Item = defineEntity({
  name: 'Item',
  timestamps: true,
  version: true,
  schema: {
    sku: { type: 'string' },
    price: { type: 'decimal', scale: 2 },
    units: { type: 'bigint', nullable: true },
    since: { type: 'day' },
    code: { type: 'uuid' },
    state: { type: 'enum', values: ['new', 'old'] },
    ready: { type: 'boolean' },
    at: { type: 'date' },
    tags: { type: 'string', array: true },
    free: { type: 'json', nullable: true },
    apiKey: { type: 'string' }
  }
})

const letIn = fp(async (fastify: FastifyInstance) => {
  fastify.accessGate.use({ allows: () => true })
  fastify.addHook('onRequest', async (request) => {
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: [] } })
  })
})

/** With the rows of entities shown. */
function withRows(database: readonly ModuleEntry[]): readonly ModuleEntry[] {
  return database.map((entry) =>
    Array.isArray(entry) && entry[0] === svcOrm ? [svcOrm, { ...entry[1], admin: { rows: true } }] : entry
  )
}

const CODE = '0190b3c0-0000-7000-8000-000000000001'
const first = {
  sku: 'a',
  price: '9.90',
  units: '9007199254740993',
  since: '2026-01-02',
  code: CODE,
  state: 'new',
  ready: true,
  at: '2026-01-02T03:04:05.678Z',
  tags: ['x', 'y'],
  free: { deep: { password: 'SECRET' } },
  apiKey: 'SECRET'
} as const

await onEveryDatabase(t, [Item], async (t, database) => {
  const { fastify, records } = await startApp(t, {
    mode: 'test',
    security: false,
    modules: [...withRows(database), letIn]
  })
  const items = fastify.orm.repository(Item)
  await items.create({ ...first, at: new Date(first.at) })
  for (const [sku, price] of [
    ['b', '10.00'],
    ['c', '-1.00']
  ] as const)
    await items.create({ ...first, sku, price, units: null, state: 'old', tags: [], at: new Date(0), ready: false })
  const get = async (query: Readonly<Record<string, string>>) =>
    (await fastify.inject({ url: '/svc/orm/api/entities/Item/rows', query })).json<{
      items: { values: Record<string, unknown> }[]
      next: string | null
    }>()
  const skus = async (query: Readonly<Record<string, string>>) =>
    (await get(query)).items.map(({ values }) => values.sku)

  const { items: found } = await get({ where: '{"sku":"a"}' })
  const { apiKey: _apiKey, ...shown } = first
  t.match(found[0]?.values, { ...shown, free: { deep: { password: '[masked]' } }, version: 1 })
  t.notMatch(JSON.stringify(found), 'SECRET')

  for (const order of ['price:ASC', 'at:DESC', 'since:ASC', 'code:DESC', 'state:DESC', 'ready:ASC']) {
    const seen: unknown[] = []
    for (let after = ''; seen.length < 4; ) {
      const page = await get({ order, limit: '1', ...(after !== '' && { after }) })
      seen.push(...page.items.map(({ values }) => values.sku))
      if (page.next === null) break
      after = page.next
    }
    t.strictSame(seen.sort(), ['a', 'b', 'c'], `${order}: each row once`)
  }
  t.strictSame(await skus({ order: 'price:ASC' }), ['c', 'a', 'b'], 'numbers, and not their texts')
  for (const where of [
    { price: '9.90' },
    { units: first.units },
    { at: first.at },
    { state: 'new' },
    { ready: true },
    { tags: 'y' }
  ]) {
    t.strictSame(await skus({ where: JSON.stringify(where) }), ['a'], JSON.stringify(where))
  }
  t.ok(records.length > 0 && records.every(({ action }) => action === 'data.viewed'))

  const [schema] = (await fastify.inject('/svc/orm/api/schema')).json<Record<string, unknown>[]>()
  const kept = fastify.orm.connectors()[0]?.schema !== undefined
  t.match(schema, { state: kept ? 'known' : 'none', migrations: [], unwritten: [], problems: [] })
})
