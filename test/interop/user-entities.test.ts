/** Users in an entity of the application, on every database: who logs in, who is out at once, whose hash is renewed. */
import Fastify, { type FastifyInstance } from 'fastify'
import { application, createServer, defineConfig, type ModuleEntry } from 'svc-host'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSecurity, { hashPassword, type SvcSecurityOptions, verifyPassword } from 'svc-security'
import t, { type Test } from 'tap'
import { API, CHEAP, PASSWORD } from '../support/account-app.ts'
import { onEveryDatabase } from '../support/entity-databases.ts'

const Member = defineEntity({
  name: 'Member',
  schema: {
    email: { type: 'string', unique: true },
    hash: { type: 'text', nullable: true },
    roles: { type: 'string', array: true },
    active: { type: 'boolean', default: true },
    locked: { type: 'boolean', default: false }
  }
})

const entity = {
  name: 'Member',
  identifier: 'email',
  password: 'hash',
  roles: 'roles',
  enabled: 'active',
  locked: 'locked'
} as const

const security: SvcSecurityOptions = {
  areas: { in: { pattern: '^/in', authenticators: ['session', 'userpassword'] } },
  users: { entity },
  passwords: { ...CHEAP, memoryKib: 8192 },
  rateLimit: { freeAttempts: 100 }
}

async function memberApp(t: Test, database: readonly ModuleEntry[]) {
  const whoami = async (fastify: FastifyInstance) => {
    fastify.get('/in', ({ user }) => user)
  }
  const modules: ModuleEntry[] = [...database, [svcSecurity, security], whoami]
  const config = defineConfig({ name: 'members', mode: 'test', server: { logger: false }, modules })
  const app = await createServer(application(config, import.meta.url))
  t.teardown(() => app.close())
  await app.ready()
  const members = app.orm.repository(Member)
  const hash = await hashPassword(PASSWORD, { ...CHEAP, parallelism: 1 })
  const ada = await members.create({ email: 'ada@x.example', hash, roles: ['ROLE_EDITOR'] })
  const login = (username: unknown, password: string = PASSWORD) =>
    app.inject({ method: 'POST', url: `${API}/auth/login`, payload: { username, password } })
  return { app, members, hash, ada, login }
}

await onEveryDatabase(t, [Member], async (t, database) => {
  const { app, members, hash, ada, login } = await memberApp(t, database)

  const answer = await login('ada@x.example')
  t.strictSame(answer.json(), { user: { identifier: 'ada@x.example', roles: ['ROLE_EDITOR'] } })
  const renewed = (await members.findOne({ id: ada.id }))?.hash ?? null
  t.match(renewed, /m=8192,/, 'a hash of a lower cost is renewed')
  t.equal(await verifyPassword(PASSWORD, renewed), true)
  t.equal((await login('ada@x.example')).statusCode, 200)

  const cookies = { svc_session: answer.cookies[0]?.value ?? '' }
  const who = async () => (await app.inject({ url: '/in', cookies })).statusCode
  t.equal(await who(), 200)
  for (const change of [{ active: false }, { active: true, locked: true }]) {
    await members.updateOne({ id: ada.id }, change)
    t.equal((await login('ada@x.example')).statusCode, 401, JSON.stringify(change))
  }
  t.equal(await who(), 401, 'one who is locked is out at once')

  await members.updateOne({ id: ada.id }, { locked: false, hash: null })
  t.equal((await login('ada@x.example')).statusCode, 401, 'no password')
  await members.updateOne({ id: ada.id }, { hash })
  for (const name of ['ADA@x.example', 'ada@x.exampl_', 'ada%', ' ada@x.example', ada.id]) {
    t.equal((await login(name)).statusCode, 401, name)
  }
  t.equal((await login({ $like: '%' })).statusCode, 400, 'no operator passes')
  t.equal((await login('ada@x.example', 'guess')).statusCode, 401)
  t.equal((await login('ada@x.example')).statusCode, 200)
})

t.test('what svc-orm does not know ends the boot', async (t) => {
  const refusal = async (given: object) => {
    const app = Fastify()
    t.teardown(() => app.close())
    await app.register(svcOrm, { memory: true, parts: { entities: [Member] } })
    await app.register(svcSecurity, { users: { entity: { ...entity, ...given } } })
    return app.ready().then(
      () => null,
      (error: unknown) => error
    )
  }
  t.equal(await refusal({}), null)
  const code = 'SVC_SEC_USERS_ENTITY'
  t.match(await refusal({ name: 'Membr' }), { problems: [{ code, fix: 'write Member' }] })
  t.match(await refusal({ connector: 'other' }), { problems: [{ code, message: /no connector named "other"/ }] })
  t.match(await refusal({ identifier: 'hash' }), { problems: [{ code, message: /not unique/ }] })
})

t.test('svc-orm behind svc-security ends the boot', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const registered = app.register(svcSecurity, { users: { entity } })
  const error = await registered.then(
    () => null,
    (error: unknown) => error
  )
  t.match(error, { problems: [{ code: 'SVC_SEC_USERS_ENTITY', fix: /before svc-security/ }] })
})
