/** Zones that plugins add: in front of those of the application, for one authenticator of their own. */

import Fastify from 'fastify'
import svcKernel from 'svc-kernel'
import t, { type Test } from 'tap'
import svcSecurity from '../../../src/index.ts'
import { echoRoute, requires } from '../../support/guarded-app.ts'
import { HeaderAuthenticator } from '../../support/tokens.ts'

async function withZone(t: Test) {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(svcKernel)
  await app.register(svcSecurity, {
    areas: { all: { pattern: '^/', authenticators: ['key', 'anonymous'] } },
    parts: { authenticators: { key: new HeaderAuthenticator('key') } }
  })
  const zone = { name: 'own', pattern: '^/own(?:/|$)', authenticator: new HeaderAuthenticator('own') }
  app.firewall.addZone(zone)
  echoRoute(app, '/own/a')
  echoRoute(app, '/a', { requirement: requires('ROLE_A') })
  return { app, zone }
}

t.test('its paths take its credential, and no other zone does', async (t) => {
  const { app } = await withZone(t)
  await app.ready()
  t.strictSame(
    app.firewall.report().map(({ path, zone, authenticators }) => [path, zone, authenticators]),
    [
      ['/own/a', 'own', ['own']],
      ['/a', 'all', ['key', 'anonymous']]
    ]
  )
  const statusOf = async (url: string, headers: Record<string, string>) =>
    (await app.inject({ url, headers })).statusCode
  t.strictSame(
    [
      await statusOf('/own/a', { 'x-own': 'ada' }),
      await statusOf('/own/a', { 'x-key': 'ada' }),
      await statusOf('/own/a', {})
    ],
    [200, 401, 401]
  )
  t.equal(await statusOf('/a', { 'x-own': 'ada:ROLE_A' }), 403, 'the visitor is anonymous there')
})

t.test('a name is taken once', async (t) => {
  const { app, zone } = await withZone(t)
  for (const name of ['own', 'all']) {
    t.throws(() => app.firewall.addZone({ ...zone, name }), { code: 'SVC_KERNEL_DUPLICATE_NAME' }, name)
  }
})
