/** Who asks: users as the application keeps them, roles of the command line in their place. */
import Fastify from 'fastify'
import { callerOf } from 'svc-kernel/explain'
import t, { type Test } from 'tap'
import svcSecurity from '../../src/index.ts'

const COST = { memoryKib: 7168, passes: 1 }

async function server(t: Test, options: object) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcSecurity, options)
  return fastify
}

t.test('S2: the user is loaded from the store', async (t) => {
  const fastify = await server(t, { users: {}, passwords: COST })
  await fastify.userAccounts.create({ identifier: 'boss', password: 'long enough', roles: ['ROLE_CHIEF'] })
  t.match(await callerOf(fastify, { user: 'boss' }), { roles: ['ROLE_CHIEF'], barred: null, note: null })
  t.match(
    await callerOf(fastify, { user: 'boss', roles: ['ROLE_USER'] }),
    { roles: ['ROLE_USER'], note: /in the store: ROLE_CHIEF/ },
    'roles that are given take their place'
  )
  t.match(await callerOf(fastify, { user: 'bosss' }), {
    roles: [],
    note: /there is no user bosss \(store: memory\)/
  })
  t.match(await callerOf(fastify, { user: 'anonymous' }), { anonymous: true })
})

t.test("S2: users of the application's own, and who may not act", async (t) => {
  const users: Record<string, object> = {
    lee: { identifier: 'lee', roles: [], locked: true },
    dan: { identifier: 'dan', roles: [], enabled: false }
  }
  const parts = { users: { findByIdentifier: async (name: string) => users[name] ?? null } }
  const fastify = await server(t, { parts })
  t.match(await callerOf(fastify, { user: 'lee' }), { barred: 'user_locked' })
  t.match(await callerOf(fastify, { user: 'dan' }), { barred: 'user_disabled' })
})

t.test('an application without accounts: what the command line says', async (t) => {
  const fastify = await server(t, { areas: { api: { pattern: '^/api', authenticators: ['anonymous'] } } })
  t.match(await callerOf(fastify, { user: 'alice', roles: ['ROLE_A', 'ROLE_B'] }), {
    roles: ['ROLE_A', 'ROLE_B'],
    note: /assumed: alice has exactly these roles/
  })
})
