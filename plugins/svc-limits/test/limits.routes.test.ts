/** What administrators see: the limits, their operations, and who has spent most; never what may be secret. */

import type { FastifyInstance } from 'fastify'
import { createAccessToken } from 'svc-kernel'
import t, { type Test } from 'tap'
import { limitedApp } from './support/limited-app.ts'

async function app(t: Test) {
  return limitedApp(
    t,
    (fastify: FastifyInstance) => {
      fastify.addHook('onRequest', async (request) => {
        const { role, user } = request.headers
        if (typeof user === 'string') request.user = { identifier: user, roles: [] }
        if (typeof role !== 'string') return
        request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: [role] } })
      })
      fastify.accessGate.use({
        allows: ({ user }, requirement) =>
          requirement.every((clause) => clause.some(({ attribute }) => user.roles.includes(attribute)))
      })
      fastify.get('/a', { config: { limits: { rate: '10/min', by: 'identity', name: 'shared' } } }, async () => 'a')
      fastify.get(
        '/b',
        {
          config: {
            limits: [
              { rate: '10/min', by: (request) => `secret ${request.headers.user}`, name: 'shared' },
              { rate: '5/2h', burst: 2, by: 'address', onOutage: 'refuse' }
            ]
          }
        },
        async () => 'b'
      )
    },
    { limits: { mail: { rate: '100/day' } } }
  )
}

const ADMIN = { role: 'ROLE_SVC_ADMIN' }

t.test('the limits, with the operations that spend them', async (t) => {
  const { fastify } = await app(t)
  const { limits, store } = (await fastify.inject({ url: '/svc/limits/api/limits', headers: ADMIN })).json()
  t.equal(store, 'memory')
  t.strictSame(limits, [
    { name: 'mail', count: 100, perS: 86_400, burst: 100, onOutage: 'local', operations: [] },
    {
      name: 'shared',
      count: 10,
      perS: 60,
      burst: 10,
      onOutage: 'local',
      operations: [
        { name: 'GET /a', by: 'identity' },
        { name: 'GET /b', by: 'function' }
      ]
    },
    {
      name: 'GET /b by address 5/7200s',
      count: 5,
      perS: 7200,
      burst: 2,
      onOutage: 'refuse',
      operations: [{ name: 'GET /b', by: 'address' }]
    }
  ])
})

t.test('who has spent most of one', async (t) => {
  const { fastify } = await app(t)
  for (const user of ['ada', 'bob', 'ada', 'ada']) await fastify.inject({ url: '/a', headers: { user } })
  await fastify.inject({ url: '/b', headers: { user: 'eve' } })
  const ask = async (query: string) => fastify.inject({ url: `/svc/limits/api/spending?${query}`, headers: ADMIN })
  const answer = await ask('limit=shared&count=2')
  t.strictSame(answer.json(), {
    limit: 'shared',
    callers: [
      { caller: 'identity ada', spent: 3, remaining: 7, resetS: 18 },
      { caller: 'identity bob', spent: 1, remaining: 9, resetS: 6 }
    ]
  })
  const all = (await ask('limit=shared')).body
  t.match(all, /"hash [\w-]{43}"/)
  t.notMatch(all, 'secret')
  t.equal((await ask('limit=other')).json().code, 'SVC_LIMIT_NOT_FOUND')
  for (const wrong of ['', 'limit=shared&count=101', 'limit=shared&cuont=1'])
    t.equal((await ask(wrong)).statusCode, 400)
})

t.test('for administrators alone', async (t) => {
  const { fastify } = await app(t)
  for (const url of ['/svc/limits/api/limits', '/svc/limits/api/spending?limit=shared']) {
    t.equal((await fastify.inject(url)).statusCode, 403)
    t.equal((await fastify.inject({ url, headers: { role: 'ROLE_USER' } })).statusCode, 403)
  }
})

t.test('a store that fails is 503', async (t) => {
  const away = async () => {
    throw new Error('away')
  }
  const stores = { limits: { take: away, giveBack: away, spending: away, purge: away } }
  const admit = (fastify: FastifyInstance) => {
    fastify.accessGate.use({ allows: () => true })
    fastify.addHook('onRequest', async (request) => {
      request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: [] } })
    })
  }
  const { fastify } = await limitedApp(t, admit, { limits: { mail: { rate: '1/s' } }, parts: { stores } })
  const answer = await fastify.inject('/svc/limits/api/spending?limit=mail')
  t.equal(answer.statusCode, 503)
  t.equal(answer.json().code, 'SVC_LIMIT_SPENDING_UNAVAILABLE')
})
