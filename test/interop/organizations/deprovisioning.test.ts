/**
 * What ends with the answer to a SCIM request that deprovisions a user, on every database: the session, the tokens, the key,
 * the open socket, the job that waits and the one that runs. No clock is asked: what comes after the answer is refused.
 */
import { once } from 'node:events'
import Fastify, { type InjectOptions } from 'fastify'
import svcJobs from 'svc-jobs'
import svcOrganizations from 'svc-organizations'
import svcRealtime from 'svc-realtime'
import svcSecurity from 'svc-security'
import t from 'tap'
import { CHEAP, KEY_SET, API as SECURITY } from '../../support/account-app.ts'
import { onEveryEngine } from '../../support/engines.ts'
import { portOf } from '../../support/ports.ts'
import { RpcSocket } from '../../support/rpc-socket.ts'
import { until } from '../../support/until.ts'

t.setTimeout(300_000)

const PASSWORD = 'correct horse battery'
const BOB = 'bob@example.org'
const SCIM = '/scim/v2/Users'

t.test('deprovisioned', (t) =>
  onEveryEngine(t, async (t, register) => {
    const records = new Map<string, string[][]>()
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    fastify.decorate('appHost', { name: 'shop', root: '.', mode: 'test', checkOnly: false } as never)
    await register(fastify)
    const authenticators = ['session', 'jwt', 'apikey', 'userpassword']
    await fastify.register(svcSecurity, {
      areas: { api: { pattern: '^/(api|scim|svc/realtime)', authenticators } },
      passwords: CHEAP,
      jwt: KEY_SET
    })
    await fastify.register(svcRealtime)
    await fastify.register(svcJobs)
    await fastify.register(svcOrganizations, {
      active: { header: 'x-organization' },
      create: {},
      keys: {},
      domains: {},
      roles: { clerk: { permissions: [] } },
      scim: { role: 'clerk' },
      parts: { resolveTxt: async (name) => records.get(name) ?? [], provenAddress: ({ identifier }) => identifier }
    })
    const { jobs } = fastify
    const running = { begun: 0, ended: 0 }
    jobs.define('slow', {}, async (_body, { signal }) => {
      running.begun += 1
      if (!signal.aborted) await once(signal, 'abort')
      running.ended += 1
    })
    fastify.post('/api/at/:organization/slow', async () => (await jobs.add('slow')).id)
    fastify.post('/api/at/:organization/later', async () => (await jobs.add('slow', {}, { delayS: 3600 })).id)
    fastify.get('/api/at/:organization/active', async ({ organization }) => ({ organization }))
    await fastify.listen({ port: 0, host: '127.0.0.1' })

    const asked = async (request: InjectOptions) => {
      const answer = await fastify.inject(request)
      return { status: answer.statusCode, headers: answer.headers, body: answer.body === '' ? null : answer.json() }
    }
    const basic = (name: string) => ({ authorization: `Basic ${btoa(`${name}:${PASSWORD}`)}` })
    for (const identifier of ['ada', BOB]) {
      await fastify.userAccounts.create({ identifier, password: PASSWORD, roles: [] })
    }
    const ada = (method: 'GET' | 'POST', url: string, payload?: object) =>
      asked({ method, url: `/api/organizations${url}`, headers: basic('ada'), ...(payload && { payload }) })
    const acme = (await ada('POST', '', { slug: 'acme', name: 'Acme' })).body
    const { body: domain } = await ada('POST', '/acme/domains', { domain: 'example.org' })
    records.set(domain.record.name, [[domain.record.value]])
    t.equal((await ada('POST', `/acme/domains/${domain.id}/verify`)).status, 200)
    const key = (await ada('POST', '/acme/keys', { name: 'entra', permissions: ['provisioning'] })).body
    const scim = (method: 'POST' | 'PATCH' | 'GET', url: string, payload: object) =>
      asked({ method, url, headers: { authorization: `Bearer ${key.token}` }, payload })
    const bob = (await scim('POST', SCIM, { userName: BOB })).body

    // Every way in, each of which works before.
    const login = await asked({
      method: 'POST',
      url: `${SECURITY}/auth/login`,
      payload: { username: BOB, password: PASSWORD }
    })
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? ''
    const tokens = (
      await asked({ method: 'POST', url: `${SECURITY}/token`, payload: { username: BOB, password: PASSWORD } })
    ).body
    const own = await fastify.tokens.apiKeys.create(BOB, { name: 'own' })
    const ways = {
      session: { cookie },
      token: { authorization: `Bearer ${tokens.access_token}` },
      key: { authorization: `Bearer ${own.token}` }
    }
    const statuses = async (path: string) => {
      const found: Record<string, number> = {}
      for (const [way, headers] of Object.entries(ways)) found[way] = (await asked({ url: path, headers })).status
      return found
    }
    const active = '/api/at/acme/active'
    t.strictSame(await statuses(active), { session: 200, token: 200, key: 200 })
    const opening = { authorization: ways.token.authorization, 'x-organization': 'acme' }
    const socket = await RpcSocket.open(portOf(fastify.server), opening)
    t.teardown(() => socket.client.ws.terminate())
    t.equal((await socket.call('ping')).id, 1, 'frames are answered')
    const added = async (when: string) =>
      (await fastify.inject({ method: 'POST', url: `/api/at/acme/${when}`, headers: ways.token })).body
    const ids = [await added('slow'), await added('later')]
    await until(() => running.begun === 1, 'the first job')
    t.equal(running.ended, 0)

    const off = { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }
    t.match(await scim('PATCH', `${SCIM}/${bob.id}`, off), { status: 200, body: { active: false } })
    t.strictSame(await statuses(active), { session: 401, token: 401, key: 401 }, 'the next request')
    const renewed = { refresh_token: tokens.refresh_token }
    t.equal((await asked({ method: 'POST', url: `${SECURITY}/token/refresh`, payload: renewed })).status, 401)
    await t.rejects(socket.call('ping'), /closed/, 'the next frame')
    t.type((await socket.client.closed).code, 'number')
    await until(() => running.ended === 1, 'the running job')
    for (const id of ids) t.equal((await jobs.get(id)).state, 'cancelled', 'jobs that waited and ran')
    t.equal(running.begun, 1, 'what waited never began')
    t.equal((await asked({ url: active, headers: basic(BOB) })).status, 404, 'a new login is no way back in')
    t.equal((await ada('GET', `/${acme.id}/members`)).status, 200, 'others go on')
  })
)
