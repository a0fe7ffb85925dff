/** Plugins that keep something between two requests of a browser: cookies, sessions, tokens of forms, messages. */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { type Neighbour, ORDERS } from './neighbour.ts'
import { pluginNamed } from './shared-server.ts'

const SECRET = 'a secret of more than thirty-two characters'

/** @fastify/session on @fastify/cookie, for plain HTTP. */
export async function registerSession(scope: FastifyInstance, options: object = {}): Promise<void> {
  await scope.register(await pluginNamed('@fastify/cookie'))
  await scope.register(await pluginNamed('@fastify/session'), { secret: SECRET, cookie: { secure: false }, ...options })
}

/** svc-security leaves `request.session` and `request.cookies` to others. */
export const unshared = { session: { shared: false } }

/** What the boot says of a second @fastify/cookie or @fastify/session. */
const twice = (name: string) => [
  /^✖ SVC_DECORATOR_TAKEN[\s\S]*more: \S.*neighbours/,
  new RegExp(`svc-security and ${name} both add`)
]

interface TheirSession {
  get(key: string): unknown
  set(key: string, value: unknown): void
  destroy(): Promise<void>
}

const sessionOf = (request: FastifyRequest) => request.getDecorator<TheirSession>('session')

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
  note: 'svc-security registers it, unless it is there already. To register yours later, set `session.shared: false`.',
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
  note: 'svc-security registers it. Yours needs `session.shared: false`; there are then two cookies and two sessions.',
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
  note: 'Send its token as `csrf-token`; `x-csrf-token` carries that of svc.'
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
  note: 'It uses `request.session` of svc-security in zones that list `session`, or its own session, as here.'
}

export const sessions: readonly Neighbour[] = [cookie, session, csrf, flash]
