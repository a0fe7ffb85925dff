/** Zones with an audience of their own (RFC 8707): what they take, what opens no other zone, and where an identity holds. */
import type { FastifyInstance } from 'fastify'
import { BootError } from 'svc-kernel'
import t, { type Test } from 'tap'
import type { Jury } from '../../src/authorization/jury.ts'
import { GRANT } from '../../src/index.ts'
import { echoRoute, requires } from '../support/guarded-app.ts'
import { keySetJson, tokenApp } from '../support/token-app.ts'

const AUDIENCE = 'https://shop.example/tools'

const areas = {
  tools: { pattern: '^/tools', authenticators: ['jwt'], audience: AUDIENCE },
  other: { pattern: '^/other', authenticators: ['jwt'], audience: 'https://shop.example/other' },
  api: { pattern: '^/api', authenticators: ['session', 'jwt'] },
  page: { pattern: '^/page', authenticators: ['session'] }
}

async function zones(t: Test) {
  const made = await tokenApp({ areas })
  const { app } = made
  t.teardown(() => app.close())
  for (const url of ['/tools', '/other', '/api', '/page', '/outside']) echoRoute(app, url)
  echoRoute(app, '/api/open', { anonymous: true })
  echoRoute(app, '/api/bypassed', { bypassFirewall: true })
  return made
}

const issued = async ({ tokens }: FastifyInstance, audience: string | null) =>
  (await tokens.issue({ identifier: 'alice' }, { audience })).accessToken

t.test('a token opens the zones of its audience, and no others', async (t) => {
  const made = await zones(t)
  const own = await issued(made.app, AUDIENCE)
  const general = await issued(made.app, null)
  const statuses = async (token: string) =>
    Promise.all(
      ['/tools', '/other', '/api', '/page'].map(async (url) => (await made.call('GET', url, undefined, token)).status)
    )
  t.strictSame(await statuses(own), [200, 401, 401, 401])
  t.strictSame(await statuses(general), [401, 401, 200, 401])
})

t.test('where the identity of a request holds that this process continues', async (t) => {
  const made = await zones(t)
  const { app } = made
  const found: Record<string, unknown> = {}
  const at = new Map<string, never>()
  app.addHook('onResponse', async ({ routeOptions: { url = '', config } }) => void at.set(url, config as never))
  for (const from of ['/tools/ask', '/api/ask', '/outside/ask']) {
    app.get(from, async (request) => {
      for (const [url, config] of at) {
        const { token, refused } = app.firewall.identityAt(config, request)
        found[`${from} ${url}`] = refused ? 'refused' : (token?.type ?? null)
      }
      return {}
    })
  }
  for (const url of ['/tools/a', '/other/a', '/api/a', '/page/a', '/outside/a']) echoRoute(app, url)
  echoRoute(app, '/api/open/a', { anonymous: true })
  echoRoute(app, '/api/bypassed/a', { bypassFirewall: true })
  // Each is matched once: only then is its config known.
  for (const url of ['/tools/a', '/other/a', '/api/a', '/page/a', '/outside/a', '/api/open/a', '/api/bypassed/a']) {
    await made.call('GET', url)
  }
  await made.call('GET', '/tools/ask', undefined, await issued(app, AUDIENCE))
  await made.call('GET', '/api/ask', undefined, await issued(app, null))
  await made.call('GET', '/outside/ask')
  const rows = Object.entries(found).filter(([key]) => key.endsWith('/a'))
  t.strictSame(Object.fromEntries(rows), {
    '/tools/ask /tools/a': 'jwt',
    // Another audience.
    '/tools/ask /other/a': 'refused',
    '/tools/ask /api/a': 'jwt',
    // It takes no such proof.
    '/tools/ask /page/a': 'refused',
    '/tools/ask /outside/a': null,
    '/tools/ask /api/open/a': 'anonymous',
    '/tools/ask /api/bypassed/a': null,
    '/api/ask /tools/a': 'refused',
    '/api/ask /other/a': 'refused',
    '/api/ask /api/a': 'jwt',
    '/api/ask /page/a': 'refused',
    '/api/ask /outside/a': null,
    '/api/ask /api/open/a': 'anonymous',
    '/api/ask /api/bypassed/a': null,
    // Proved nowhere.
    '/outside/ask /tools/a': 'refused',
    '/outside/ask /other/a': 'refused',
    '/outside/ask /api/a': 'refused',
    '/outside/ask /page/a': 'refused',
    '/outside/ask /outside/a': null,
    '/outside/ask /api/open/a': 'anonymous',
    '/outside/ask /api/bypassed/a': null
  })
})

t.test('an audience that others have, and credentials without one, end the boot', async (t) => {
  const jwt = { keySetJson, audience: 'https://shop.example' }
  const unsafe = { pattern: '^/tools', authenticators: ['session', 'jwt', 'apikey'], audience: 'https://shop.example' }
  const failure = (await tokenApp({ areas: { tools: unsafe }, jwt }).catch((error: unknown) => error)) as BootError
  t.ok(failure instanceof BootError)
  t.match(
    failure.problems.map(({ code, at, got }) => [code, at, got]),
    [
      ['SVC_ZONE_AUDIENCE', 'svc-security.areas.tools.authenticators', 'session, apikey'],
      ['SVC_ZONE_AUDIENCE', 'svc-security.areas.tools.audience', 'https://shop.example']
    ]
  )
})

t.test('the voter of a plugin is asked', async (t) => {
  const made = await tokenApp()
  t.teardown(() => made.app.close())
  ;(made.app.jury as Jury).add({
    name: 'plugin',
    supports: (attribute) => attribute === 'PLUGIN_READ',
    vote: () => GRANT
  })
  echoRoute(made.app, '/jwt/plugin', { requirement: requires('PLUGIN_READ') })
  echoRoute(made.app, '/jwt/nobody', { requirement: requires('PLUGIN_WRITE') })
  const token = await issued(made.app, null).catch(() => null)
  t.not(token, null)
  t.equal((await made.call('GET', '/jwt/plugin', undefined, token as string)).status, 200)
  t.equal((await made.call('GET', '/jwt/nobody', undefined, token as string)).status, 403)
})
