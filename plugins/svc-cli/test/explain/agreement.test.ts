/** What `svc explain` says, against what an application answers: every proof of 300 pairs of route and caller. */
import Fastify from 'fastify'
import svcDecorators, {
  Anonymous,
  BypassFirewall,
  controller,
  Get,
  IsGranted,
  RequireScope,
  WebSocket
} from 'svc-decorators'
import { createAccessToken } from 'svc-kernel'
import { accessExplainer } from 'svc-kernel/explain'
import { type DeclaredRoute, listRoutes } from 'svc-kernel/plugin'
import svcSecurity, { hashPassword, registerAuthenticatorFactory, type SvcSecurityOptions } from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import t, { type Test } from 'tap'
import { noteRoutes } from '../../src/application/note-routes.ts'

const PASSWORD = 'correct horse'
const COST = { memoryKib: 7168, passes: 1, parallelism: 1 }

/** Zones by the first folder of their paths. */
const ZONES: Readonly<Record<string, { authenticators: string[]; mode?: 'first' | 'all'; realtime?: boolean }>> = {
  mixed: { authenticators: ['session', 'jwt', 'apikey', 'userpassword', 'anonymous'] },
  signed: { authenticators: ['jwt'] },
  keyed: { authenticators: ['apikey', 'anonymous'] },
  open: { authenticators: ['anonymous'] },
  hidden: { authenticators: ['anonymous', 'session'] },
  deaf: { authenticators: ['session', 'jwt'], realtime: false },
  both: { authenticators: ['session', 'jwt'], mode: 'all' },
  basic: { authenticators: ['session', 'userpassword'], mode: 'all' },
  twice: { authenticators: ['jwt', 'apikey'], mode: 'all' },
  subjects: { authenticators: ['session', 'anonymous'], mode: 'all' },
  badge: { authenticators: ['badge', 'robot'] }
}

/** Applied by call: the same routes under every folder. */
function controllerAt(folder: string) {
  class Routes {
    open() {
      return 'in'
    }
    user() {
      return 'in'
    }
    admin() {
      return 'in'
    }
    scoped() {
      return 'in'
    }
    either() {
      return 'in'
    }
    and() {
      return 'in'
    }
    anybody() {
      return 'in'
    }
    bypassed() {
      return 'in'
    }
    socket() {
      return 'in'
    }
  }
  const at = (name: keyof Routes, ...decorators: Array<(...target: never[]) => unknown>): void => {
    const descriptor = Object.getOwnPropertyDescriptor(Routes.prototype, name)
    for (const decorate of decorators)
      (decorate as (...target: unknown[]) => unknown)(Routes.prototype, name, descriptor)
  }
  controller(`/${folder}`)(Routes)
  at('open', Get('/open'))
  at('user', Get('/user'), IsGranted('ROLE_USER'))
  at('admin', Get('/admin'), IsGranted('ROLE_ADMIN'))
  at('scoped', Get('/scoped'), RequireScope('orders:read'))
  at('either', Get('/either'), IsGranted(['ROLE_ADMIN', 'orders:read']))
  at('and', Get('/and'), IsGranted('ROLE_USER'), RequireScope('orders:read'))
  at('anybody', Get('/anybody'), Anonymous())
  at('bypassed', Get('/bypassed'), BypassFirewall())
  at('socket', WebSocket('/socket'), IsGranted('ROLE_USER'))
  return Routes
}

const PATHS = ['open', 'user', 'admin', 'scoped', 'either', 'and', 'anybody', 'bypassed', 'socket', 'unknown']

/** A header that names its caller; one declares the type of its tokens, one does not. */
for (const [name, tokenType] of [
  ['badge', 'session'],
  ['robot', undefined]
] as const) {
  registerAuthenticatorFactory(name, () => ({
    ...(tokenType === undefined ? {} : { tokenType }),
    carrier: 'header' as const,
    supports: ({ headers }) => headers[`x-${name}`] !== undefined,
    createToken: ({ headers }) =>
      JSON.parse(String(headers[`x-${name}`])) as { identifier: string; roles: string[]; scopes: string[] },
    authenticate: (given) => {
      const { identifier, roles, scopes } = given as { identifier: string; roles: string[]; scopes: string[] }
      return createAccessToken({ type: tokenType ?? name, user: { identifier, roles }, scopes })
    }
  }))
}

async function application(t: Test) {
  const users = new Map<string, { identifier: string; roles: string[]; password: string; locked: boolean }>()
  const password = await hashPassword(PASSWORD, COST)
  for (const [identifier, roles] of [
    ['alice', ['ROLE_USER']],
    ['boss', ['ROLE_CHIEF']],
    ['guest', []],
    ['lee', ['ROLE_USER']]
  ] as const) {
    users.set(identifier, { identifier, roles: [...roles], password, locked: false })
  }
  const declared: DeclaredRoute[] = []
  const stop = noteRoutes(declared)
  const fastify = Fastify()
  stop()
  t.teardown(() => fastify.close())
  const areas: NonNullable<SvcSecurityOptions['areas']> = Object.fromEntries(
    Object.entries(ZONES).map(([name, zone]) => [name, { pattern: `^/${name}/`, ...zone }])
  )
  await fastify.register(svcSecurity, {
    areas,
    roleHierarchy: { ROLE_CHIEF: ['ROLE_ADMIN'], ROLE_ADMIN: ['ROLE_USER'] },
    passwords: COST,
    rateLimit: { enabled: false },
    jwt: { keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) },
    parts: { users: { findByIdentifier: async (identifier: string) => users.get(identifier) ?? null } }
  })
  await fastify.register(svcDecorators, { controllers: [...Object.keys(ZONES), 'outside'].map(controllerAt) })
  await fastify.ready()
  return { fastify, explain: accessExplainer(fastify, listRoutes(declared)), users }
}

type Headers = Record<string, string>
type InjectSocket = (url: string, options: object) => Promise<{ terminate(): void }>
type App = Awaited<ReturnType<typeof application>>

/** What each authenticator asks for, made as a client gets it. */
async function credentialsOf(
  { fastify }: App,
  identifier: string,
  scopes: readonly string[],
  roles: readonly string[]
) {
  const login = await fastify.inject({
    method: 'POST',
    url: '/svc/security/api/auth/login',
    body: { username: identifier, password: PASSWORD }
  })
  const cookie = String(login.headers['set-cookie']).split(';', 1)[0] as string
  const { accessToken } = await fastify.tokens.issue({ identifier }, { scopes })
  const { token } = await fastify.tokens.apiKeys.create(identifier, { name: 'test', scopes })
  const given = JSON.stringify({ identifier, roles, scopes })
  const basic = Buffer.from(`${identifier}:${PASSWORD}`).toString('base64')
  const credentials: Record<string, Headers> = {
    session: { cookie },
    jwt: { authorization: `Bearer ${accessToken}` },
    apikey: { authorization: `Bearer ${token}` },
    userpassword: { authorization: `Basic ${basic}` },
    badge: { 'x-badge': given },
    robot: { 'x-robot': given },
    anonymous: {}
  }
  return credentials
}

async function statusOf({ fastify }: App, socket: boolean, url: string, headers: Headers): Promise<number> {
  if (!socket) return (await fastify.inject({ url, headers })).statusCode
  try {
    const { injectWS } = fastify as unknown as { injectWS: InjectSocket }
    const opened = await injectWS(url, {
      headers: { ...headers, host: 'localhost', origin: 'http://localhost' }
    })
    opened.terminate()
    return 200
  } catch (error) {
    return Number(/\d{3}/.exec((error as Error).message)?.[0])
  }
}

/** Numbers that look random and are the same in every run (Park and Miller). */
function seeded(seed: number) {
  let state = seed
  return <Item>(from: readonly Item[]): Item => {
    state = (state * 48_271) % 2_147_483_647
    return from[state % from.length] as Item
  }
}

/** A session ends when its user is found locked: one of who is locked is made anew for each request. */
async function headersOf(app: App, { as, scopes }: Pair, barred: boolean, names: readonly string[]): Promise<Headers> {
  const user = app.users.get(as)
  if (user === undefined) return {}
  user.locked = false
  const mine = await credentialsOf(app, as, scopes === '' ? [] : [scopes], user.roles)
  user.locked = barred
  return Object.assign({}, ...names.map((name) => mine[name] ?? {})) as Headers
}

interface Pair {
  readonly socket: boolean
  readonly path: string
  readonly as: string
  readonly scopes: string
}

/** Every proof of one pair: what was said, and what was answered. */
async function compare(app: App, pair: Pair): Promise<Array<{ said: number; answered: number; what: string }>> {
  const { socket, path, as, scopes } = pair
  const method = socket ? 'WEBSOCKET' : 'GET'
  const barred = app.users.get(as)?.locked === true
  const { proofs } = await app.explain({ method, path, user: as, ...(scopes === '' ? {} : { scopes: [scopes] }) })
  const rows = []
  for (const { authenticator, status } of proofs) {
    // An authenticator of one's own may know users that nobody locked.
    if (barred && /badge|robot/.test(authenticator ?? '')) continue
    const headers = await headersOf(app, pair, barred, authenticator?.split(' + ') ?? [])
    const what = `${socket ? 'WS' : 'GET'} ${path} as ${as} [${scopes}] by ${authenticator}`
    rows.push({ said: status ?? 200, answered: await statusOf(app, socket, path, headers), what })
  }
  return rows
}

t.test('S1: explain agrees with the answer, for 300 pairs of route and caller', async (t) => {
  const app = await application(t)
  Object.assign(app.users.get('lee') ?? {}, { locked: true })
  const pick = seeded(20_260_901)
  const statuses = new Set<number>()
  for (let pair = 0; pair < 300; pair += 1) {
    const socket = pick([false, false, false, true])
    const path = `/${pick([...Object.keys(ZONES), 'outside'])}/${socket ? 'socket' : pick(PATHS)}`
    const as = pick(['anonymous', 'alice', 'boss', 'guest', 'lee'])
    const scopes = as === 'anonymous' ? '' : pick(['', 'orders:read'])
    for (const { said, answered, what } of await compare(app, { socket, path, as, scopes })) {
      statuses.add(said)
      t.equal(answered, said, what)
    }
  }
  t.strictSame([...statuses].sort(), [200, 401, 403, 404, 426], 'every kind of answer was met')
})
