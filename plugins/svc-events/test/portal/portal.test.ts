/** Links and sessions of the portal in memory: their time, what ends the boot, what a log says of them, and the page. */
import { Writable } from 'node:stream'
import Fastify from 'fastify'
import svcSecurity from 'svc-security'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import svcEvents, { defineEvents, type SvcEventsOptions, type SvcEventsParts } from '../../src/index.ts'

const events = defineEvents({ 'ticket.created': { data: { type: 'object' }, version: 1, example: { title: 'a' } } })
const MINUTE = 60_000
const API = '/events-portal/api'

interface Given extends Partial<SvcEventsOptions> {
  readonly parts?: SvcEventsParts
  readonly secured?: boolean
}

async function opened(t: Test, { secured = true, parts = {}, ...options }: Given = {}) {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    }
  })
  const fastify = Fastify({ logger: { level: 'trace', stream } })
  t.teardown(() => fastify.close())
  const clock = new ManualClock()
  if (secured) await fastify.register(svcSecurity, { areas: { all: { pattern: '^/', authenticators: ['anonymous'] } } })
  const encryptionKey = Buffer.alloc(32, 7).toString('base64')
  const path = '/api/organizations/:organization'
  await fastify.register(svcEvents, { events, path, encryptionKey, portal: {}, ...options, parts: { clock, ...parts } })
  await fastify.ready()
  const enter = (url: string) => {
    const payload = { secret: url.slice(url.indexOf('#') + 1) }
    return fastify.inject({ method: 'POST', url: `${API}/session`, payload })
  }
  const read = (token: string, url = `${API}/session`) =>
    fastify.inject({ url, headers: { authorization: `Bearer ${token}` } })
  return { fastify, clock, lines, enter, read }
}

t.test('a link and its session end at their time', async (t) => {
  const { fastify, clock, enter, read } = await opened(t, {
    portal: { minutes: 3, sessionMinutes: 7, origin: 'https://app.example' }
  })
  const late = await fastify.events.portal('acme')
  t.match(late.url, /^https:\/\/app\.example\/events-portal#portal_[\w-]{43}$/)
  t.equal(late.expiresAt, clock.now() + 3 * MINUTE)
  const { url } = await fastify.events.portal('acme', { minutes: 4, name: 'Acme Inc.', locale: 'de' })
  clock.advance(3 * MINUTE)
  const refused = await enter(late.url)
  t.match([refused.statusCode, refused.json()], [400, { code: 'SVC_EVENTS_PORTAL_LINK' }])
  const entered = await enter(url)
  t.equal(entered.statusCode, 201, entered.body)
  const { token, session } = entered.json()
  t.match(session, { organization: 'acme', name: 'Acme Inc.', locale: 'de', keys: null, theme: {} })
  t.equal(session.texts.endpoints, 'Endpunkte')
  t.equal(session.expiresAt, clock.now() + 7 * MINUTE)
  clock.advance(7 * MINUTE - 1)
  t.equal((await read(token)).statusCode, 200)
  clock.advance(1)
  const over = await read(token)
  t.match([over.statusCode, over.headers['www-authenticate']], [401, 'Bearer'])
})

t.test('a link opens one session, of which its holder may end the one', async (t) => {
  const { fastify, enter, read } = await opened(t)
  const { url } = await fastify.events.portal('acme')
  const [first, second] = [await enter(url), await enter(url)]
  t.strictSame([first.statusCode, second.statusCode], [201, 400])
  const other = (await enter((await fastify.events.portal('acme')).url)).json()
  const { token } = first.json()
  const headers = { authorization: `Bearer ${token}` }
  t.equal((await fastify.inject({ method: 'DELETE', url: `${API}/session`, headers })).statusCode, 200)
  t.strictSame([(await read(token)).statusCode, (await read(other.token)).statusCode], [401, 200])
  await fastify.events.forget('globex')
  t.equal((await read(other.token)).statusCode, 200)
  await fastify.events.forget('acme')
  t.equal((await read(other.token)).statusCode, 401)
})

t.test('a secret of one kind is none of the other, and nothing says a secret', async (t) => {
  const { fastify, lines, enter, read } = await opened(t)
  const { url } = await fastify.events.portal('acme')
  const secret = url.slice(url.indexOf('#') + 1)
  t.equal((await read(secret)).statusCode, 401, 'a link is no session')
  const { token } = (await enter(url)).json()
  t.equal((await enter(`#${token}`)).statusCode, 400, 'a session is no link')
  await read(token)
  for (const given of ['', 'x', 'portal_', `portal_${'a'.repeat(43)}`, 'x'.repeat(101)]) {
    t.equal((await enter(`#${given}`)).statusCode, 400, given)
  }
  const log = lines.join('')
  for (const said of [secret, token]) t.notOk(log.includes(said.slice('portal_'.length)))
  t.match(log, /"action":"portal\.linked","organization":"acme"/)
  t.match(log, /"action":"portal\.entered","organization":"acme"/)
})

t.test('without a session every route of the portal is closed', async (t) => {
  const { fastify } = await opened(t)
  const routes = fastify.firewall.report().filter(({ path }) => path.startsWith(API))
  t.ok(routes.length > 10)
  for (const { path, method, anonymous, zone, authenticators, requirement } of routes) {
    t.equal(zone, 'events-portal', path)
    if (anonymous) {
      t.strictSame([path, method], [`${API}/session`, 'POST'])
      continue
    }
    t.strictSame(authenticators, ['events-portal'], path)
    t.strictSame(requirement, [[{ attribute: 'EVENTS_PORTAL' }]], path)
    for (const each of method.split(',')) {
      const url = path.replace(/:\w+/g, 'a')
      const authorization = ['', 'Bearer portal_x', 'Basic YTpi', `Bearer portal_${'a'.repeat(43)}`]
      for (const header of authorization) {
        const given = header === '' ? {} : { headers: { authorization: header } }
        const answer = await fastify.inject({ method: each as 'GET', url, ...given })
        t.equal(answer.statusCode, 401, `${each} ${url} ${header}`)
      }
    }
  }
})

t.test('the jury says why', async (t) => {
  let state: 'active' | 'suspended' | null = 'active'
  const { fastify, enter, read } = await opened(t, { parts: { organizations: { state: () => state } } })
  const link = await fastify.events.portal('acme')
  const { token } = (await enter((await fastify.events.portal('acme')).url)).json()
  state = 'suspended'
  t.equal((await read(token)).statusCode, 403)
  t.match((await enter(link.url)).json(), { code: 'SVC_EVENTS_SUSPENDED' })
  await t.rejects(fastify.events.portal('acme'), { code: 'SVC_EVENTS_SUSPENDED' })
  const explained = (identifier: string, type: string, more: object) =>
    fastify.jury.explain({ type, user: { identifier, roles: [] }, ...more } as never, 'EVENTS_PORTAL')
  const session = ['events-portal:acme', 'events-portal', { tenantId: 'acme' }] as const
  t.match(await explained(...session), { granted: false, votes: [{ reason: 'the organisation acme is suspended' }] })
  state = null
  t.match(await explained(...session), { granted: false, votes: [{ reason: 'the organisation acme is gone' }] })
  t.equal((await read(token)).statusCode, 403)
  await t.rejects(fastify.events.portal('acme'), { code: 'SVC_EVENTS_ORGANIZATION' })
  state = 'active'
  t.match(await explained(...session), { granted: true })
  t.match(await explained('ada', 'session', { tenantId: 'acme' }), { granted: false })
  t.equal((await read(token)).statusCode, 200)
})

t.test('the page names who may frame it', async (t) => {
  const headersOf = async (frameAncestors: readonly string[]) => {
    const { fastify } = await opened(t, { portal: { frameAncestors } as never })
    const { headers, body } = await fastify.inject({ url: '/events-portal', headers: { 'accept-language': 'de-AT' } })
    t.match(body, /<html lang="de-AT">/)
    t.notMatch(body, /<script(?! type="module" src=)|<style| style=| on\w+=/)
    const [policy] = /frame-ancestors [^;]+/.exec(String(headers['content-security-policy'])) ?? []
    t.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self'; style-src 'self'/)
    return [policy, headers['x-frame-options']]
  }
  t.strictSame(await headersOf([]), ["frame-ancestors 'none'", 'DENY'])
  t.strictSame(await headersOf(['self']), ["frame-ancestors 'self'", 'SAMEORIGIN'])
  t.strictSame(await headersOf(['self', 'https://app.example', 'https://*.app.example:8443']), [
    "frame-ancestors 'self' https://app.example https://*.app.example:8443",
    undefined
  ])
})

t.test('options that could say more than they should are refused', async (t) => {
  for (const portal of [
    { frameAncestors: ["https://a.example; script-src 'unsafe-inline'"] },
    { frameAncestors: ['*'] },
    { frameAncestors: ['https://a.example/path'] },
    { theme: { accent: 'red;background:url(https://a.example)' } },
    { theme: { accent: { light: '#fff' } } },
    { theme: { shadow: '#fff' } },
    { path: '/a b' },
    { path: '/' },
    { origin: 'https://a.example/b' },
    { locale: '"><script>' },
    { minutes: 61 }
  ]) {
    await t.rejects(opened(t, { portal: portal as never }), { name: 'BootError' }, JSON.stringify(portal))
  }
  const { fastify } = await opened(t)
  for (const given of [
    { theme: { accent: 'red' } },
    { locale: 'd' },
    { minutes: 0 },
    { name: '' },
    { colour: '#fff' }
  ]) {
    await t.rejects(fastify.events.portal('acme', given as never), { code: 'SVC_EVENTS_PORTAL_OPTION' })
  }
  await t.rejects(fastify.events.portal('a b'), { code: 'SVC_EVENTS_ORGANIZATION' })
})

t.test('it is off unless it is asked for, and needs who keeps it', async (t) => {
  const { fastify } = await opened(t, { portal: undefined as never })
  t.equal((await fastify.inject('/events-portal')).statusCode, 404)
  await t.rejects(fastify.events.portal('acme'), { code: 'SVC_EVENTS_UNAVAILABLE', statusCode: 503 })
  await t.rejects(opened(t, { secured: false }), { code: 'SVC_EVENTS_PORTAL_CLOSED' })
  await t.rejects(opened(t, { portal: { keys: ['billing'] } }), { code: 'SVC_EVENTS_PORTAL_KEYS' })
})

t.test('a theme of a link wins over that of the options', async (t) => {
  const { fastify, enter } = await opened(t, { portal: { theme: { accent: '#111', text: '#222222' } } })
  const theme = { accent: { light: '#333', dark: '#444' } }
  t.strictSame((await enter((await fastify.events.portal('acme', { theme })).url)).json().session.theme, {
    accent: { light: '#333', dark: '#444' },
    text: '#222222'
  })
})

t.test('events that are not delivered have no endpoints here either', async (t) => {
  const { fastify, enter, read } = await opened(t, { webhooks: false, journal: false })
  const { token } = (await enter((await fastify.events.portal('acme')).url)).json()
  t.equal((await read(token, `${API}/webhooks`)).statusCode, 404)
  t.match((await read(token, `${API}/events/types`)).json(), { types: [{ type: 'ticket.created' }] })
})
