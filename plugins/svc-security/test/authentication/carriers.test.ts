/** What a page of another origin may do with a credential, by how the credential travels: carriers x methods x origins. */
import fastifyWebsocket from '@fastify/websocket'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Carrier } from 'svc-kernel'
import { type AccessToken, createAccessToken } from 'svc-kernel'
import t from 'tap'
import svcSecurity, {
  type Area,
  type AuthenticationContext,
  type Authenticator,
  type Firewall
} from '../../src/index.ts'
import { echoRoute } from '../support/guarded-app.ts'
import { logLines } from '../support/log-lines.ts'
import { Browser, loginApp } from '../support/login-app.ts'
import { rawRequest, rawUpgrade } from '../support/raw-request.ts'
import { keySetJson } from '../support/token-app.ts'

/** Claims what carries `x-proof`, whatever it says of its carrier: the header stands for what a browser or a program sends. */
class Stated implements Authenticator<string> {
  readonly carrier?: Carrier
  readonly ambient?: true
  readonly #type: string

  constructor(type: string, said: { readonly carrier?: Carrier; readonly ambient?: true }) {
    Object.assign(this, said)
    this.#type = type
  }

  supports({ headers }: AuthenticationContext): boolean {
    return headers['x-proof'] !== undefined
  }

  createToken({ headers }: AuthenticationContext): string {
    return String(headers['x-proof'])
  }

  authenticate(identifier: string): AccessToken {
    return createAccessToken({ type: this.#type, user: { identifier, roles: [] } })
  }
}

const saids: Readonly<Record<string, { readonly carrier?: Carrier; readonly ambient?: true }>> = {
  unsaid: {},
  unknown: { carrier: 'unknown' },
  cookie: { carrier: 'cookie' },
  connection: { carrier: 'connection' },
  header: { carrier: 'header' },
  authorization: { carrier: 'authorization' },
  remembered: { carrier: 'authorization', ambient: true },
  forged: { carrier: 'cookie', ambient: false as unknown as true },
  misspelt: { carrier: 'Authorization' as 'authorization' }
}

/** The page, as a browser says it; a program says neither. */
const pages = {
  own: ['Origin: http://127.0.0.1:{port}'],
  foreign: ['Origin: https://evil.example'],
  'cross-site': ['Sec-Fetch-Site: cross-site'],
  none: []
} as const
type Page = keyof typeof pages

/** Status of a change and of a handshake, by page. Reading is 200 from anywhere. */
type Row = readonly [change: number, upgrade: number]
const AMBIENT: Readonly<Record<Page, Row>> = {
  own: [200, 101],
  foreign: [403, 403],
  'cross-site': [403, 403],
  none: [200, 403]
}
const WRITTEN: Readonly<Record<Page, Row>> = {
  own: [200, 101],
  foreign: [200, 403],
  'cross-site': [200, 101],
  none: [200, 101]
}
const expected: Readonly<Record<string, Readonly<Record<Page, Row>>>> = {
  unsaid: AMBIENT,
  unknown: AMBIENT,
  cookie: AMBIENT,
  connection: AMBIENT,
  header: WRITTEN,
  authorization: WRITTEN,
  remembered: { ...WRITTEN, foreign: [403, 403], 'cross-site': [403, 101] },
  forged: AMBIENT,
  misspelt: AMBIENT
}

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']

async function openApp(type: string, options: object = {}): Promise<FastifyInstance> {
  const names = Object.keys(saids)
  const areas = Object.fromEntries(
    names.map((name): [string, Area] => [name, { pattern: `^/${name}`, authenticators: [name] }])
  )
  const authenticators = Object.fromEntries(names.map((name) => [name, new Stated(type, saids[name] ?? {})]))
  const app = Fastify(options)
  await app.register(svcSecurity, { areas, parts: { authenticators } })
  await app.register(fastifyWebsocket)
  for (const name of names) {
    for (const method of ['GET', ...METHODS]) echoRoute(app, `/${name}/change`, { method })
    await app.register(async (scope) => {
      scope.get(`/${name}/ws`, { websocket: true }, (socket) => socket.send('hello'))
    })
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

/** The type is the proof's own choice: it decides nothing. */
for (const type of ['impersonation', 'session', 'userpassword', 'apikey', 'anonymous-device']) {
  t.test(
    `H1: an authenticator says how its credential travels, whatever its proof calls itself: ${type}`,
    async (t) => {
      const app = await openApp(type)
      t.teardown(() => app.close())
      const { port } = app.server.address() as { port: number }
      for (const [name, rows] of Object.entries(expected)) {
        for (const [page, [change, upgrade]] of Object.entries(rows)) {
          const headers = [...pages[page as Page], 'x-proof: ada'].map((line) => line.replace('{port}', String(port)))
          const ask = async (method: string) =>
            (await rawRequest(app, `/${name}/change`, { method, headers: withHost(headers, port) })).status
          t.equal(await ask('GET'), 200, `GET ${name} ${page}`)
          for (const method of METHODS) t.equal(await ask(method), change, `${method} ${name} ${page}`)
          t.equal((await rawUpgrade(app, `/${name}/ws`, headers)).status, upgrade, `upgrade ${name} ${page}`)
        }
      }
    }
  )
}

/** `rawRequest` says `localhost`; a page of this very origin has the host of its socket. */
function withHost(headers: readonly string[], port: number): string[] {
  return headers.map((line) => line.replace(`http://127.0.0.1:${port}`, 'http://localhost'))
}

/** Over the session cookie of the plugin: an administrator acts as somebody else. */
class Impersonation implements Authenticator<string> {
  readonly carrier?: Carrier
  readonly #app: () => FastifyInstance

  constructor(app: () => FastifyInstance, carrier?: Carrier) {
    if (carrier !== undefined) this.carrier = carrier
    this.#app = app
  }

  async supports({ request }: AuthenticationContext): Promise<boolean> {
    return (await this.#app().sessions.resume(request)) !== null
  }

  createToken(): string {
    return 'bob'
  }

  authenticate(identifier: string): AccessToken {
    return createAccessToken({ type: 'impersonation', user: { identifier, roles: [] } })
  }
}

t.test('H1: over the session cookie, changes need the token of the session', async (t) => {
  const made = await loginApp(
    {
      areas: {
        in: { pattern: '^/in', authenticators: ['session'] },
        cookie: { pattern: '^/cookie', authenticators: ['cookie'] },
        unsaid: { pattern: '^/unsaid', authenticators: ['unsaid'] },
        written: { pattern: '^/written', authenticators: ['written'] }
      }
    },
    {
      authenticators: {
        cookie: new Impersonation(() => made.app, 'cookie'),
        unsaid: new Impersonation(() => made.app),
        written: new Impersonation(() => made.app, 'header')
      }
    }
  )
  const { app } = made
  t.teardown(() => app.close())
  for (const zone of ['cookie', 'unsaid', 'written']) echoRoute(app, `/${zone}/change`, { method: 'POST' })
  const browser = new Browser(app)
  await browser.login()
  const csrf = { 'x-csrf-token': await browser.csrfToken() }
  const foreign = { ...csrf, origin: 'https://evil.example' }
  const rows: ReadonlyArray<[zone: string, headers: Record<string, string>, status: number]> = [
    ['cookie', {}, 403],
    ['cookie', csrf, 200],
    ['cookie', foreign, 403],
    ['unsaid', {}, 403],
    ['unsaid', csrf, 200],
    ['unsaid', foreign, 403],
    ['written', {}, 200]
  ]
  for (const [zone, headers, status] of rows) {
    const answer = await browser.call('POST', `/${zone}/change`, { headers })
    t.equal(answer.statusCode, status, `${zone} ${JSON.stringify(headers)}`)
    if (status === 200) t.match(answer.json(), { who: 'bob', proof: 'impersonation' }, 'the type is still the proof’s')
  }
})

t.test('H1: the boot warns of each authenticator of the application that does not say its carrier', async (t) => {
  const { lines, logger } = logLines()
  const app = await openApp('impersonation', { logger })
  t.teardown(() => app.close())
  const warned = lines.filter(({ code }) => code === 'SVC_SEC_NO_CARRIER').map(({ at, got }) => [at, got])
  t.strictSame(warned.sort(), [
    ['authenticator misspelt', '"Authorization"'],
    ['authenticator unsaid', 'no carrier']
  ])
})

t.test('H1: every built-in authenticator says its carrier and whose it is', async (t) => {
  const names = ['session', 'userpassword', 'jwt', 'apikey', 'anonymous']
  const { app } = await loginApp({ areas: { in: { pattern: '^/in', authenticators: names } }, jwt: { keySetJson } })
  t.teardown(() => app.close())
  await app.ready()
  const firewall: Firewall = app.firewall
  const zone = firewall.zones.find(({ name }) => name === 'in')
  const said =
    zone === undefined
      ? []
      : firewall
          .proofsOf(zone)
          .map(({ authenticator, proof, openapi }) => [authenticator, { ...proof }, openapi?.type ?? null])
  t.strictSame(said, [
    ['session', { carrier: 'cookie', ambient: true, subject: 'person', stepUp: false }, 'apiKey'],
    ['userpassword', { carrier: 'authorization', ambient: true, subject: 'person', stepUp: false }, 'http'],
    ['jwt', { carrier: 'authorization', ambient: false, subject: 'machine', stepUp: true }, 'http'],
    ['apikey', { carrier: 'authorization', ambient: false, subject: 'machine', stepUp: false }, 'http'],
    ['anonymous', { carrier: 'header', ambient: false, subject: 'person', stepUp: false }, null]
  ])
})
