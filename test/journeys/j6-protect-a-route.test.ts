/** J6: a guard on a route, on both transports, and the mistakes people make with it. */
import { once } from 'node:events'
import t from 'tap'
import { WebSocket } from 'ws'
import { Shop } from '../support/shop.ts'

const ping = (
  decorators: string
): string => `import { Anonymous, controller, Get, IsGranted, route, WebSocket } from 'svc-decorators'

export const used = [Anonymous, Get, IsGranted, route, WebSocket]

@controller('/api')
export class PingController {
${decorators}
  ping() {
    return { pong: true }
  }
}
`

/** An authenticator of the application's own, with a controller so that the file is loaded. */
const demo = `import { controller, Get } from 'svc-decorators'
import { registerAuthenticatorFactory } from 'svc-security'

registerAuthenticatorFactory('demo', () => ({
  carrier: 'authorization',
  supports: ({ headers }) => headers.authorization !== undefined,
  createToken: ({ headers }) => headers.authorization,
  authenticate: (credential) => {
    if (credential !== 'Bearer let-me-in') throw new Error('no')
    return { type: 'session', user: { identifier: 'alice', roles: ['ROLE_ADMIN'] }, getUserIdentifier: () => 'alice' }
  },
  challenge: () => 'Bearer'
}))

@controller('/unused')
export class UnusedController {
  @Get('/')
  nothing() {
    return {}
  }
}
`

const both = "  @route('ping', { path: '/ping', methods: ['GET', 'WEBSOCKET'] })"

t.test('a guarded route refuses over HTTP and WebSocket, wherever the decorator stands', async (t) => {
  for (const decorators of [`${both}\n  @IsGranted('ROLE_USER')`, `  @IsGranted('ROLE_USER')\n${both}`]) {
    const shop = await Shop.create(t)
    await shop.write('controllers/ping.ts', ping(decorators))
    const dev = await shop.dev()
    const refused = await shop.get('/api/ping')
    t.equal(refused.status, 403, 'an anonymous zone answers 403')
    t.match(refused.body, { statusCode: 403, code: 'SVC_SEC_DENIED', error: 'Forbidden' })
    t.equal(await upgradeStatus(shop), 403, 'the same before the 101')
    await dev.stop()
  }
})

t.test('a zone without anonymous answers 401 with a challenge', async (t) => {
  const shop = await Shop.create(t)
  await shop.write('controllers/ping.ts', ping(`${both}\n  @IsGranted('ROLE_USER')`))
  await shop.write('controllers/demo.ts', demo)
  await shop.edit('svc.config.ts', "authenticators: ['anonymous']", "authenticators: ['demo']")
  await shop.dev()
  const refused = await shop.get('/api/ping')
  t.equal(refused.status, 401)
  t.equal(refused.headers.get('www-authenticate'), 'Bearer')
  t.equal(await upgradeStatus(shop), 401)
  const granted = await fetch(`${shop.url}/api/ping`, { headers: { authorization: 'Bearer let-me-in' } })
  t.equal(granted.status, 200, 'ROLE_ADMIN inherits ROLE_USER')
})

t.test('mistakes that stop the boot, all in one report', async (t) => {
  const shop = await Shop.create(t)
  await shop.write(
    'controllers/ping.ts',
    ping("  @Get('/ping')\n  @Anonymous()\n  @IsGranted('ROLE_USER')").replace(
      /\}\n$/,
      "\n  @Get('/empty')\n  @IsGranted([])\n  empty() {\n    return {}\n  }\n}\n"
    )
  )
  const refused = await shop.svc('dev')
  t.equal(refused.code, 1)
  t.match(refused.stderr, /SVC_GUARD_CONFLICT +PingController\.ping is both @Anonymous and @IsGranted\('ROLE_USER'\)/)
  t.match(refused.stderr, /controllers\/ping\.ts:\d+/)
  t.match(refused.stderr, 'SVC_GUARD_EMPTY')
  t.match(refused.stderr, /^2 problems/m)
  t.notMatch(refused.stderr, /\n +at .*node_modules/, 'no stack')
})

t.test('mistakes that are warned about', async (t) => {
  const shop = await Shop.create(t)
  await shop.write('controllers/ping.ts', ping("  @Get('/ping')\n  @IsGranted('ROL_ADMIN')"))
  await shop.write(
    'controllers/outside.ts',
    ping("  @Get('/x')\n  @IsGranted('ROLE_USER')").replace("@controller('/api')", "@controller('/outside')")
  )
  await shop.write('controllers/demo.ts', demo)
  await shop.edit(
    'svc.config.ts',
    /areas: \{[\s\S]*?\n {8}\}/,
    `areas: {
          api: { pattern: '^/api', authenticators: ['anonymous', 'demo'] }
        }`
  )
  const dev = await shop.dev()
  await dev.shows(/SVC_NO_VOTER +no voter supports "ROL_ADMIN" \(did you mean ROLE_ADMIN\?\)/)
  await dev.shows(/SVC_GUARD_NO_ZONE +GET \/outside\/x is guarded but no area matches; every call will be 403/)
  await dev.shows(/SVC_ZONE_ORDER +areas\.api\.authenticators\[0\] = anonymous accepts every request/)
  t.equal((await shop.get('/outside/x')).status, 403)
  t.equal((await shop.get('/api/ping')).status, 403)
})

t.test('svc explain says why', async (t) => {
  const shop = await Shop.create(t)
  await shop.write('controllers/ping.ts', ping("  @Get('/ping')\n  @IsGranted('ROLE_USER')"))
  const denied = await shop.svc('explain', 'GET', '/api/ping', '--as', 'alice')
  t.equal(denied.code, 0, denied.stderr)
  t.match(denied.stdout, /zone +api/)
  t.match(denied.stdout, /anonymous/, 'the authenticators tried')
  t.match(denied.stdout, /ROLE_USER/)
  t.match(denied.stdout, /ROLE_USER +role: ABSTAIN/, 'each vote')
  t.match(denied.stdout, /decision +403 refused: abstain/, 'the decision and its reason')
  await shop.edit('svc.config.ts', "authenticators: ['anonymous']", "authenticators: ['session', 'anonymous']")
  const granted = await shop.svc('explain', 'GET', '/api/ping', '--as', 'alice', '--roles', 'ROLE_ADMIN', '--json')
  t.match(JSON.parse(granted.stdout), { decision: 'granted', reason: null }, 'through the role hierarchy')
  await shop.write(
    'controllers/ping.ts',
    ping("  @Get('/ping', { config: { proof: { maxAgeS: 300, factor: 'totp' } } })")
  )
  const login = ['explain', 'GET', '/api/ping', '--as', 'alice', '--proven', '300', '--factors']
  const due = await shop.svc(...login, 'pwd', '--json')
  t.match(JSON.parse(due.stdout), { status: 403, reason: 'proof-due' }, due.stderr)
  const proven = await shop.svc(...login, 'pwd,otp', '--json')
  t.match(JSON.parse(proven.stdout), { decision: 'granted' }, proven.stderr)
  const never = await shop.svc('explain', 'GET', '/api/ping', '--as', 'alice', '--proven', 'yesterday')
  t.equal(never.code, 2)
  t.match(never.stderr, /SVC_EXPLAIN_REQUEST/)
})

async function upgradeStatus(shop: Shop): Promise<number | undefined> {
  const socket = new WebSocket(`ws://127.0.0.1:${shop.port}/api/ping`)
  socket.on('error', () => undefined)
  const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }]
  socket.terminate()
  return answer.statusCode
}
