/** A user and the rows that belong to it in one transaction: kept together, undone together, refused where they cannot be. */
import Fastify, { type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcDocdb from 'svc-docdb'
import { startDocumentEngine } from 'svc-docdb-embedded'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSecurity from 'svc-security'
import { userStore } from 'svc-security/stores'
import svcSqlorm from 'svc-sqlorm'
import t, { type Test } from 'tap'
import { PostgresServer, postgresPrograms } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'

const Profile = defineEntity({
  name: 'Profile',
  schema: { account: { type: 'string' }, nick: { type: 'string', unique: true } }
})

const engine = await startDocumentEngine()
t.teardown(() => engine.close())

type JoinedAccounts = ReturnType<FastifyInstance['userAccounts']['within']>

type Drivers = (fastify: FastifyInstance) => PromiseLike<unknown>

async function application(t: Test, drivers: Drivers, security: object = {}): Promise<FastifyInstance> {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { parts: { entities: [Profile] } })
  await drivers(fastify)
  await fastify.register(svcAudit)
  await fastify.register(svcSecurity, {
    users: { store: 'auto' },
    passwords: { memoryKib: 7168, passes: 1 },
    ...security
  })
  await fastify.ready()
  return fastify
}

function signUp(fastify: FastifyInstance, identifier: string, nick: string): Promise<string> {
  return fastify.orm.transaction(async (tx) => {
    const id = await fastify.userAccounts
      .within(tx)
      .create({ identifier, password: 'correct horse', roles: ['ROLE_USER'] })
    await fastify.orm.repository(Profile).withTransaction(tx).create({ account: id, nick })
    return id
  })
}

const drivers: Readonly<Record<string, Drivers>> = {
  sqlorm: (fastify) => fastify.register(svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } } }),
  docdb: (fastify) => fastify.register(svcDocdb, { connectors: { svc: { uri: engine.uri } } })
}

async function usersAndProfiles(t: Test, register: Drivers): Promise<void> {
  const fastify = await application(t, register)
  const told: unknown[] = []
  fastify.audit.subscribe((event) => {
    if (event.action === 'user.created') told.push(event.resource)
  })
  const profiles = fastify.orm.repository(Profile)
  const id = await signUp(fastify, 'ann', 'annie')
  t.equal((await profiles.findOne({ account: id }))?.nick, 'annie')
  t.match(await fastify.userAccounts.find('ann'), { identifier: 'ann', roles: ['ROLE_USER'] })

  await t.rejects(signUp(fastify, 'bob', 'annie'), { code: 'SVC_ORM_UNIQUE' })
  t.equal(await fastify.userAccounts.find('bob'), null, 'no user without a profile')
  await t.rejects(signUp(fastify, 'ann', 'other'), { code: 'SVC_STORE_DUPLICATE' })
  t.equal(await profiles.count(), 1, 'no profile without a user')
  t.strictSame(told, ['ann'], 'the audit is told of what was kept')

  await fastify.orm.transaction(async (tx) => {
    const inside = fastify.userAccounts.within(tx)
    await inside.setRoles('ann', ['ROLE_EDITOR'])
    t.match(await inside.find('ann'), { roles: ['ROLE_EDITOR'] })
    t.match(await fastify.userAccounts.find('ann'), { roles: ['ROLE_USER'] })
  })
  t.match(await fastify.userAccounts.find('ann'), { roles: ['ROLE_EDITOR'] })

  const payload = { username: 'ann', password: 'correct horse' }
  await fastify.inject({ method: 'POST', url: '/svc/security/api/auth/login', payload })
  const sessions = async () => (await fastify.sessions.list({ user: 'ann' }, {})).items.length
  const reset = (fails: boolean) =>
    fastify.orm.transaction(async (tx) => {
      await fastify.userAccounts.within(tx).setPassword('ann', 'battery staple')
      if (fails) throw new Error('not kept')
    })
  await t.rejects(reset(true), { message: 'not kept' })
  t.equal(await sessions(), 1, 'X4: what is not kept ends nothing')
  await reset(false)
  t.ok(await until(async () => (await sessions()) === 0, 'the end of the session'), 'X4: what is kept ends everything')

  const changes: Array<[title: string, change: (accounts: JoinedAccounts, seen?: number) => Promise<boolean>]> = [
    ['locked', (accounts, version) => accounts.setLocked('ann', true, version)],
    ['unlocked', (accounts, version) => accounts.setLocked('ann', false, version)],
    ['disabled', (accounts, version) => accounts.setEnabled('ann', false, version)],
    ['enabled', (accounts, version) => accounts.setEnabled('ann', true, version)],
    ['given a role', (accounts, version) => accounts.setRoles('ann', ['ROLE_CHIEF'], version)],
    ['renamed', (accounts, version) => accounts.rename('ann', 'anne', version)],
    ['named as before', (accounts, version) => accounts.rename('anne', 'ann', version)],
    ['deleted', (accounts, version) => accounts.remove('ann', version)]
  ]
  const stored = async () => (await fastify.userAccounts.list({}, {})).items
  for (const [title, change] of changes) {
    const before = await stored()
    const undone = fastify.orm.transaction(async (tx) => {
      t.ok(await change(fastify.userAccounts.within(tx)), title)
      throw new Error('not kept')
    })
    await t.rejects(undone, { message: 'not kept' })
    t.same(await stored(), before, `${title}: undone with its transaction`)
    const stale = fastify.orm.transaction((tx) => change(fastify.userAccounts.within(tx), 1))
    await t.rejects(stale, { code: 'SVC_HTTP_CHANGED' }, title)
    await fastify.orm.transaction((tx) => change(fastify.userAccounts.within(tx), before[0]?.updatedAt))
    t.notSame(await stored(), before, `${title}: kept with its transaction`)
  }
  t.same(await stored(), [])

  const [over] = await fastify.orm.transaction(async (tx) => [tx] as const)
  await t.rejects(async () => fastify.userAccounts.within(over).find('ann'), { code: 'SVC_ORM_TRANSACTION_OVER' })
}

for (const [name, register] of Object.entries(drivers)) {
  t.test(`users and profiles on ${name}`, (t) => usersAndProfiles(t, register))
}

const programs = postgresPrograms()
const skip = programs === null ? 'PostgreSQL is not installed' : false

t.test('users and profiles on PostgreSQL', { skip }, async (t) => {
  const server = await PostgresServer.start(programs as string)
  t.teardown(async () => {
    await server.kill()
    server.remove()
  })
  const connectors = { default: { url: server.url('postgres') } }
  await t.test('one after the other', (t) =>
    usersAndProfiles(t, (fastify) => fastify.register(svcSqlorm, { connectors }))
  )

  await t.test('of those at once who take one name, one gets it, with its profile', async (t) => {
    const fastify = await application(t, (each) => each.register(svcSqlorm, { connectors }))
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((count) => signUp(fastify, 'eve', `eve${count}`)))
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    t.equal(await fastify.orm.repository(Profile).count({ nick: { $like: 'eve%' } }), 1)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    for (const reason of refused) t.match(reason, { code: 'SVC_STORE_DUPLICATE' })
  })
})

t.test('where users are kept elsewhere, the unit is refused before anything is written', async (t) => {
  const two = (fastify: FastifyInstance) =>
    fastify.register(svcSqlorm, {
      connectors: { default: { url: 'sqlite::memory:' }, other: { url: 'sqlite::memory:' } }
    })
  const fastify = await application(t, two)
  const elsewhere = fastify.orm.transaction(async (tx) => fastify.userAccounts.within(tx), 'other')
  await t.rejects(elsewhere, { code: 'SVC_STORE_TRANSACTION', message: /by connector default and .* connector other$/ })

  const inMemory = await application(t, drivers.sqlorm as Drivers, { users: { store: 'memory' } })
  await t.rejects(signUp(inMemory, 'ann', 'annie'), { code: 'SVC_STORE_TRANSACTION' })
  t.equal(await inMemory.orm.repository(Profile).count(), 0)
  t.equal(await inMemory.userAccounts.find('ann'), null)
  const unused = inMemory.orm.transaction(async (tx) => inMemory.stores.within({ ...userStore, brick: 'nope' }, tx))
  await t.rejects(unused, { code: 'SVC_STORE_TRANSACTION' })
})
