/** Plugins that say who is calling, each beside the firewall. */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler, preValidationHookHandler } from 'fastify'
import { oidcProvider } from '../../support/oidc-provider.ts'
import { type Neighbour, ORDERS, type Plugin } from './neighbour.ts'
import { registerSession, unshared } from './sessions.ts'
import { pluginNamed } from './shared-server.ts'

const SECRET = 'a secret of more than thirty-two characters'

const TAKEN = /^✖ SVC_DECORATOR_TAKEN[\s\S]*more: \S.*neighbours/

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
  note: "Set `decoratorName: 'jwtUser'`: `request.user` belongs to svc. In a zone that lists `jwt` or `apikey`, its tokens are 401.",
  clash: {
    orders: ORDERS,
    register: (scope, plugin) => scope.register(plugin, { secret: SECRET }),
    says: [TAKEN, /@fastify\/jwt.*decoratorName: 'jwtUser'/]
  }
}

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
  note: "Use `new Authenticator({ userProperty: 'account' })`: `request.user` belongs to svc. It needs a session: that of svc-security in zones that list `session`, or its own, as here.",
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
  async holds(t, { at, caller }) {
    const before = caller.cookies.size
    const started = await caller.ask('/open/oauth')
    t.equal(started.status, 302)
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const wrong = await caller.ask('/open/oauth/callback?code=c&state=guess')
    t.equal(wrong.status, 500, wrong.text)
    const done = await caller.ask(`/open/oauth/callback?code=c&state=${encodeURIComponent(state)}`)
    t.strictSame([done.status, done.text], [200, 'a'])
    t.equal(
      [...caller.cookies.keys()].some((name) => name.includes('svc_session')),
      at === '/in' && before > 0
    )
  },
  note: 'Its routes are not the section `oauth2` of svc-security, and open no session of svc.'
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
  note: 'Its functions may read `request.user`. They run after the zone of the route, and never replace its proof.'
}

const basicAuth: Neighbour = {
  name: '@fastify/basic-auth',
  register: (scope, plugin) =>
    scope.register(plugin, {
      authenticate: { realm: 'cellar' },
      validate: async (name: string, password: string) => {
        if (name !== 'bob' || password !== 'x') throw new Error('unknown')
      }
    }),
  routes(scope, at) {
    const onRequest = scope.getDecorator<onRequestHookHandler>('basicAuth')
    scope.get(`${at}/basic`, { onRequest }, async () => 'in')
  },
  async holds(t, { at, caller }) {
    const refused = await caller.ask(`${at}/basic`)
    t.strictSame(
      [refused.status, refused.headers.get('www-authenticate')],
      [401, 'Basic realm="cellar", charset="UTF-8"']
    )
    const headers = { authorization: `Basic ${Buffer.from('bob:x').toString('base64')}` }
    t.equal((await caller.ask(`${at}/basic`, { headers })).text, 'in')
  },
  note: 'In a zone that lists `userpassword`, its passwords are 401.'
}

const bearerAuth: Neighbour = {
  name: '@fastify/bearer-auth',
  register: (scope, plugin) => scope.register(plugin, { keys: new Set(['k-1']), addHook: false }),
  routes(scope, at) {
    const onRequest = scope.getDecorator<onRequestHookHandler>('verifyBearerAuth')
    scope.get(`${at}/bearer`, { onRequest }, async () => 'in')
  },
  async holds(t, { at, caller }) {
    t.equal((await caller.ask(`${at}/bearer`)).status, 401)
    const headers = { authorization: 'Bearer k-1' }
    t.equal((await caller.ask(`${at}/bearer`, { headers })).text, 'in')
    t.equal((await caller.ask('/keys/any', { headers })).status, 401, 'no key of ours')
  },
  note: 'Set `addHook: false` and check single routes. As a hook it asks for a key on every route, those of svc included.'
}

export const identity: readonly Neighbour[] = [jwt, passport, oauth2, auth, basicAuth, bearerAuth]
