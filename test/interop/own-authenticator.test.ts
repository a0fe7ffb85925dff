/**
 * An authenticator of an application's own, over what svc-security exports. What it says of its credential is enough: the
 * checks of pages, scopes, the API description, explanations and open sockets follow from it.
 */
import { createHmac } from 'node:crypto'
import { controller, Get, IsGranted, Message, Post, WebSocket } from 'svc-decorators'
import type { AccessToken } from 'svc-kernel'
import svcOpenapi from 'svc-openapi'
import type { AuthenticationContext, Authenticator } from 'svc-security'
import t, { type Test } from 'tap'
import { rawExchange, rawRequest, rawUpgrade } from '../support/raw-http.ts'
import { SocketClient } from '../support/socket-client.ts'
import { startApp } from '../support/start-app.ts'

const SECRET = 'of the gate'
const seal = (name: string) => createHmac('sha256', SECRET).update(name).digest('hex')
const badgeOf = (name: string) => `${name}.${seal(name)}`

const known = new Map([['ann', ['ROLE_CREW']]])

/** `x-badge: <name>.<signature>`, of a person or of a machine that may do less than its user. */
class Badge implements Authenticator<string> {
  readonly carrier: 'header' | 'cookie'
  readonly subject: 'person' | 'machine'
  readonly openapi = { type: 'apiKey', in: 'header', name: 'x-badge' } as const
  readonly taken = new Set<string>()

  constructor(carrier: 'header' | 'cookie', subject: 'person' | 'machine') {
    this.carrier = carrier
    this.subject = subject
  }

  supports({ headers }: AuthenticationContext) {
    return headers['x-badge'] !== undefined
  }

  createToken({ headers }: AuthenticationContext) {
    return String(headers['x-badge'])
  }

  authenticate(badge: string) {
    const [name = '', signature] = badge.split('.')
    const roles = known.get(name)
    if (roles === undefined || signature !== seal(name)) throw Object.assign(new Error('forged'), { reason: 'forged' })
    return {
      type: 'badge',
      user: { identifier: name, roles },
      ...(this.subject === 'machine' && { scopes: ['gate:read'] })
    }
  }

  liveness(_context: AuthenticationContext, token: AccessToken) {
    return { endsAt: () => null, check: () => !this.taken.has(token.getUserIdentifier()) }
  }

  challenge() {
    return 'Badge realm="gate"'
  }
}

@controller('/gate')
class Gate {
  @Get('/state')
  @IsGranted('ROLE_CREW')
  state() {
    return { open: false }
  }

  @Post('/state')
  @IsGranted('ROLE_CREW')
  change() {
    return { open: true }
  }

  @Get('/rules')
  @IsGranted('ROLE_SVC_ADMIN')
  rules() {
    return {}
  }

  @Post('/rules')
  @IsGranted('gate:write')
  write() {
    return {}
  }

  @Get('/log')
  @IsGranted('gate:read')
  log() {
    return {}
  }

  @WebSocket('/live')
  @IsGranted('ROLE_CREW')
  live(@Message() text: string) {
    return { text }
  }
}

async function gate(t: Test, carrier: 'header' | 'cookie', subject: 'person' | 'machine') {
  const badge = new Badge(carrier, subject)
  const started = await startApp(t, {
    security: {
      areas: { gate: { pattern: '^/gate', authenticators: ['badge'] } },
      realtime: { revalidateWindowMs: 0 },
      parts: { authenticators: { badge } }
    } as never,
    before: [svcOpenapi],
    controllers: [Gate]
  })
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const { status, headers: answered } = await rawExchange(started.port, rawRequest(method, path, headers))
    return { status, challenge: answered['www-authenticate'] }
  }
  return { ...started, ask, badge }
}

const ANN = { 'x-badge': badgeOf('ann') }
const FOREIGN = { origin: 'https://evil.example' }

t.test('a badge is asked for, read, and refused when it is forged', async (t) => {
  const { ask, lines } = await gate(t, 'header', 'person')
  t.match(await ask('GET', '/gate/state'), { status: 401, challenge: 'Badge realm="gate"' })
  t.match(await ask('GET', '/gate/state', ANN), { status: 200 })
  t.match(await ask('GET', '/gate/state', { 'x-badge': `ann.${seal('bob')}` }), { status: 401 })
  t.match(await ask('GET', '/gate/rules', ANN), { status: 403 })
  t.notMatch(JSON.stringify(lines), seal('ann'), 'no signature is in the log')
})

t.test('a credential that browsers send is checked for the page, one that a program writes is not', async (t) => {
  for (const [carrier, change, socket] of [
    ['header', 200, 403],
    ['cookie', 403, 403]
  ] as const) {
    const { ask, port } = await gate(t, carrier, 'person')
    t.match(await ask('POST', '/gate/state', { ...ANN, ...FOREIGN }), { status: change }, carrier)
    t.match(await ask('POST', '/gate/state', ANN), { status: 200 }, `${carrier}, a program`)
    const refused = await rawExchange(port, rawUpgrade('/gate/live', { ...ANN, ...FOREIGN }))
    t.equal(refused.status, socket, `${carrier}, a handshake`)
  }
})

t.test('scopes limit a machine, and no person', async (t) => {
  for (const [subject, write] of [
    ['person', 200],
    ['machine', 403]
  ] as const) {
    const { ask } = await gate(t, 'header', subject)
    t.match(await ask('GET', '/gate/log', ANN), { status: 200 }, subject)
    t.match(await ask('POST', '/gate/rules', ANN), { status: write }, subject)
    t.match(await ask('GET', '/gate/rules', ANN), { status: 403 }, `${subject}: no scope gives a role`)
  }
})

t.test('the API description and the report of the zones have it', async (t) => {
  const { fastify } = await gate(t, 'header', 'person')
  const { paths, components } = (fastify as unknown as { swagger(): Described }).swagger()
  const [name = ''] = Object.keys(paths['/gate/state']?.get.security[0] ?? {})
  t.match(components.securitySchemes[name], { type: 'apiKey', in: 'header', name: 'x-badge' })
  t.match(JSON.stringify(fastify.firewall.report()), '"badge"')
})

t.test('a socket ends with the badge', async (t) => {
  const { badge, port } = await gate(t, 'header', 'person')
  const socket = await SocketClient.opened(port, '/gate/live', ANN)
  t.strictSame(await socket.ask('hello'), { text: 'hello' })
  badge.taken.add('ann')
  socket.ws.send('again')
  t.equal((await socket.closed).code, 4001)
})

interface Described {
  readonly paths: Readonly<Record<string, { readonly get: { readonly security: readonly object[] } }>>
  readonly components: { readonly securitySchemes: Readonly<Record<string, object>> }
}
