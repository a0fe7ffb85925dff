/** The stores of packages above the drivers, on SQLite, PostgreSQL and documents: each passes the suite that memory passes. */
import Fastify, { type FastifyInstance } from 'fastify'
import { ensureStores, type StoreDefinition, type StoreParts } from 'svc-stores'
import t from 'tap'
import { engines, registering, skipReason } from '../../support/engines.ts'
import { everyStore } from '../../support/every-store.ts'
import { type Brick, runSuite } from './every-suite.ts'

t.setTimeout(400_000)

const BRICKS: readonly Brick[] = [
  'files',
  'accounts',
  'accountTokens',
  'organizations',
  'memberships',
  'organizationInvitations',
  'organizationArchives',
  'organizationDomains',
  'organizationGroups'
]

for (const [name, start] of Object.entries(engines)) {
  const skip = skipReason(name)
  t.test(name, { skip, timeout: 400_000 }, async (t) => {
    const empty = await start(t)
    const applications = new WeakMap<object, FastifyInstance>()
    const makeStore = async (brick: Brick, { clock }: StoreParts) => {
      const fastify = Fastify()
      await ensureStores(fastify, { clock })
      await registering(await empty())(fastify)
      const { store } = fastify.stores.select(everyStore[brick] as StoreDefinition<object>, 'auto')
      await fastify.ready()
      if (store === null) throw new Error('no store')
      applications.set(store, fastify)
      return store
    }
    const closeStore = (store: object) => applications.get(store)?.close()
    for (const brick of BRICKS) await t.test(brick, (t) => runSuite(t, brick, { makeStore, closeStore }))
  })
}
