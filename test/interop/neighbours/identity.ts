/** Plugins that say who is calling, each beside the firewall. */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler, preValidationHookHandler } from 'fastify'
import { oidcProvider } from '../../support/oidc-provider.ts'
import { type Neighbour, ORDERS, type Plugin } from './neighbour.ts'
import { pluginNamed } from './shared-server.ts'

const SECRET = 'a secret of more than thirty-two characters'

const TAKEN = /^✖ SVC_DECORATOR_TAKEN[\s\S]*more: docs\/reference\/neighbours\.md/

/** svc-security leaves `request.session` and `request.cookies` to others. */
const unshared = { session: { shared: false } }

const verifyJwt: onRequestHookHandler = (request) => request.getDecorator<() => Promise<void>>('jwtVerify')()

interface JwtDecorator {
  sign(payload: object): string
}

const jwt: Neighbour = {
  name: '@fastify/jwt',
  register: (scope, plugin) => scope.register(plugin, { secret: SECRET, decoratorName: 'jwtUser' }),
  routes(scope, at) {
    scope.get(`${at}/jwt/new`, async () => scope.getDecorator<JwtDecorator>('jwt').sign({ sub: 'bob' }))
    scope.get(`${at}/jwt`, { onRequest: verifyJwt }, async (request) => ({
      theirs: request.getDecorator<{ sub: string }>('jwtUser').sub,
      ours: request.user?.identifier ?? null
    }))
  },
  async holds(t, { at, caller }) {
    t.equal((await caller.ask(`${at}/jwt`)).status, 401, 'no token')
    const authorization = `Bearer ${(await caller.ask(`${at}/jwt/new`)).text}`
    const known = await caller.ask(`${at}/jwt`, { headers: { authorization } })
    t.strictSame(known.json(), { theirs: 'bob', ours: at === '/in' ? 'alice' : null })
    t.equal((await caller.ask('/keys/any', { headers: { authorization } })).status, 401, 'no token of ours')
  },
  note: "`decoratorName: 'jwtUser'`: `request.user` is ours. In a zone that lists `jwt` or `apikey`, its tokens are 401.",
  clash: {
    orders: ORDERS,
    register: (scope, plugin) => scope.register(plugin, { secret: SECRET }),
    says: [TAKEN, /@fastify\/jwt.*decoratorName: 'jwtUser'/]
  }
}

/** @fastify/session on @fastify/cookie, for plain HTTP. */
async function registerSession(scope: FastifyInstance, options: object = {}): Promise<void> {
  await scope.register(await pluginNamed('@fastify/cookie'))
  await scope.register(await pluginNamed('@fastify/session'), { secret: SECRET, cookie: { secure: false }, ...options })
}

/** What the boot says of a second @fastify/cookie or @fastify/session. */
const twice = (name: string) => [TAKEN, new RegExp(`by svc-security and by ${name}`)]

interface TheirSession {
  get(key: string): unknown
  set(key: string, value: unknown): void
  destroy(): Promise<void>
}

const sessionOf = (request: FastifyRequest) => request.getDecorator<TheirSession>('session')

interface Strategy {
  name: string
  authenticate(request: FastifyRequest): void
  success(user: object): void
  fail(): void
}

/** Passport, with a strategy that takes a header for a name, and users kept in the session. */
async function registerPassport(scope: FastifyInstance, { Authenticator }: Plugin, options: object): Promise<void> {
  await registerSession(scope)
  const passport = new Authenticator(options)
  const { Strategy } = await pluginNamed('@fastify/passport')
  class ByHeader extends (Strategy as new (name: string) => Strategy) {
    override authenticate(request: FastifyRequest): void {
      const name = request.headers['x-name']
      if (typeof name === 'string') this.success({ name })
      else this.fail()
    }
  }
  passport.use(new ByHeader('header'))
  passport.registerUserSerializer(async ({ name }: { name: string }) => name)
  passport.registerUserDeserializer(async (name: string) => ({ name }))
  await scope.register(passport.initialize())
  await scope.register(passport.secureSession())
  scope.decorate('passportLogin', passport.authenticate('header', { authInfo: false }))
}

const passport: Neighbour = {
  name: '@fastify/passport',
  security: () => unshared,
  register: (scope, plugin) => registerPassport(scope, plugin, { userProperty: 'account' }),
  routes(scope, at) {
    const preValidation = scope.getDecorator<preValidationHookHandler>('passportLogin')
    const who = async (request: FastifyRequest) => ({
      theirs: request.getDecorator<{ name: string } | null>('account')?.name ?? null,
      ours: request.user?.identifier ?? null
    })
    scope.post(`${at}/passport/login`, { preValidation }, who)
    scope.get(`${at}/passport/me`, who)
  },
  async holds(t, { at, caller }) {
    const ours = at === '/in' ? 'alice' : null
    t.strictSame((await caller.ask(`${at}/passport/me`)).json(), { theirs: null, ours })
    t.equal((await caller.ask(`${at}/passport/login`, { method: 'POST' })).status, 401)
    const login = await caller.ask(`${at}/passport/login`, { method: 'POST', headers: { 'x-name': 'bob' } })
    t.strictSame(login.json(), { theirs: 'bob', ours })
    t.strictSame((await caller.ask(`${at}/passport/me`)).json(), { theirs: 'bob', ours }, 'from its session')
  },
  note: "`new Authenticator({ userProperty: 'account' })`: `request.user` is ours. A session has to be there: that of svc-security in zones that list `session`; here one of its own.",
  clash: {
    orders: ORDERS,
    security: () => unshared,
    register: (scope, plugin) => registerPassport(scope, plugin, {}),
    says: [TAKEN, /@fastify\/passport.*userProperty: 'account'/]
  }
}

const oauth2: Neighbour = {
  name: '@fastify/oauth2',
  service: async (t) => (await oidcProvider(t)).issuer,
  async register(scope, plugin, { address }) {
    await scope.register(plugin, {
      name: 'home',
      credentials: { client: { id: 'shop', secret: 'x' } },
      startRedirectPath: '/open/oauth',
      callbackUri: 'http://127.0.0.1/open/oauth/callback',
      discovery: { issuer: address },
      pkce: 'S256'
    })
    scope.get('/open/oauth/callback', async (request) => {
      const home = scope.getDecorator<{
        getAccessTokenFromAuthorizationCodeFlow(request: FastifyRequest): Promise<{ token: { access_token: string } }>
      }>('home')
      return (await home.getAccessTokenFromAuthorizationCodeFlow(request)).token.access_token
    })
  },
  async holds(t, { caller }) {
    const started = await caller.ask('/open/oauth')
    t.equal(started.status, 302)
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const wrong = await caller.ask('/open/oauth/callback?code=c&state=guess')
    t.equal(wrong.status, 500, wrong.text)
    const done = await caller.ask(`/open/oauth/callback?code=c&state=${encodeURIComponent(state)}`)
    t.strictSame([done.status, done.text], [200, 'a'])
    t.notOk([...caller.cookies.keys()].some((name) => name.includes('svc_session')))
  },
  note: 'Its routes are not the section `oauth2` of svc-security: they open no session of ours.'
}

type Check = (request: FastifyRequest) => Promise<void>

const auth: Neighbour = {
  name: '@fastify/auth',
  register: (scope, plugin) => scope.register(plugin),
  routes(scope, at) {
    const either = scope.getDecorator<(checks: Check[]) => onRequestHookHandler>('auth')
    const byKey: Check = async ({ headers }) => {
      if (headers['x-key'] !== 'known') throw Object.assign(new Error('no key'), { statusCode: 401 })
    }
    const byUser: Check = async ({ user }) => {
      if (user?.identifier !== 'alice') throw Object.assign(new Error('not alice'), { statusCode: 401 })
    }
    scope.get(`${at}/either`, { preHandler: either([byKey, byUser]) }, async () => 'in')
  },
  async holds(t, { at, caller }) {
    t.equal((await caller.ask(`${at}/either`)).status, at === '/in' ? 200 : 401, 'request.user is set by then')
    t.equal((await caller.ask(`${at}/either`, { headers: { 'x-key': 'known' } })).status, 200)
  },
  note: 'Its functions may read `request.user`. They come after the zone of the route, and never replace its proof.'
}

const cookie: Neighbour = {
  name: '@fastify/cookie',
  security: (order) => (order === 'before' ? {} : unshared),
  register: (scope, plugin) => scope.register(plugin, { secret: SECRET }),
  routes(scope, at) {
    scope.get(`${at}/cookie/set`, async (_request, reply) => {
      reply.getDecorator<(name: string, value: string, options: object) => void>('setCookie')('taste', 'salt', {
        signed: true,
        path: '/'
      })
      return 'set'
    })
    scope.get(`${at}/cookie`, async (request) => {
      const { taste = '' } = request.getDecorator<Record<string, string>>('cookies')
      return request.getDecorator<(value: string) => object>('unsignCookie')(taste)
    })
  },
  async holds(t, { at, caller }) {
    t.equal((await caller.ask(`${at}/cookie/set`)).status, 200)
    t.match((await caller.ask(`${at}/cookie`)).json(), { valid: true, value: 'salt' })
  },
  note: 'svc-security registers it, unless it is there already. After it, with `session.shared: false`.',
  clash: {
    orders: ['after', 'scope'],
    register: (scope, plugin) => scope.register(plugin),
    says: twice('@fastify/cookie')
  }
}

const session: Neighbour = {
  name: '@fastify/session',
  security: () => unshared,
  register: (scope) => registerSession(scope, { cookieName: 'theirs' }),
  routes(scope, at) {
    scope.get(`${at}/count`, async (request) => {
      const session = sessionOf(request)
      const count = Number(session.get('count') ?? 0) + 1
      session.set('count', count)
      return { count }
    })
    scope.get(`${at}/forget`, async (request) => {
      await sessionOf(request).destroy()
      return 'gone'
    })
  },
  async holds(t, { at, caller }) {
    t.strictSame((await caller.ask(`${at}/count`)).json(), { count: 1 })
    t.strictSame((await caller.ask(`${at}/count`)).json(), { count: 2 })
    await caller.ask(`${at}/forget`)
    t.strictSame((await caller.ask(`${at}/count`)).json(), { count: 1 })
  },
  note: 'svc-security registers it. One of your own needs `session.shared: false`: two cookies, two sessions.',
  clash: {
    orders: ORDERS,
    async register(scope, plugin) {
      if (!scope.hasPlugin('@fastify/cookie')) await scope.register(await pluginNamed('@fastify/cookie'))
      await scope.register(plugin, { secret: SECRET })
    },
    says: twice('@fastify/session')
  }
}

const csrf: Neighbour = {
  name: '@fastify/csrf-protection',
  async register(scope, plugin) {
    if (!scope.hasPlugin('@fastify/cookie')) await scope.register(await pluginNamed('@fastify/cookie'))
    await scope.register(plugin)
  },
  routes(scope, at) {
    scope.get(`${at}/form`, async (_request, reply) => reply.getDecorator<() => string>('generateCsrf')())
    const onRequest = scope.getDecorator<onRequestHookHandler>('csrfProtection')
    scope.post(`${at}/form`, { onRequest }, async () => 'taken')
  },
  async holds(t, { at, caller }) {
    const token = (await caller.ask(`${at}/form`)).text
    t.equal((await caller.ask(`${at}/form`, { method: 'POST' })).status, 403)
    t.equal((await caller.ask(`${at}/form`, { method: 'POST', headers: { 'csrf-token': token } })).text, 'taken')
  },
  note: 'Send its token as `csrf-token`: `x-csrf-token` carries ours.'
}

const flash: Neighbour = {
  name: '@fastify/flash',
  security: () => unshared,
  async register(scope, plugin) {
    await registerSession(scope)
    await scope.register(plugin)
  },
  routes(scope, at) {
    scope.get(`${at}/flash/add`, async (request) =>
      request.getDecorator<(type: string, text: string) => number>('flash')('info', 'saved')
    )
    scope.get(`${at}/flash`, async (_request, reply) => reply.getDecorator<(type: string) => string[]>('flash')('info'))
  },
  async holds(t, { at, caller }) {
    t.equal((await caller.ask(`${at}/flash/add`)).status, 200)
    t.strictSame((await caller.ask(`${at}/flash`)).json(), ['saved'])
    t.strictSame((await caller.ask(`${at}/flash`)).json(), [], 'shown once')
  },
  note: 'Over `request.session` of svc-security in zones that list `session`; here over a session of its own.'
}

export const identity: readonly Neighbour[] = [jwt, passport, oauth2, auth, cookie, session, csrf, flash]
