/**
 * One guard, many ways in: a table of callers and requirements gives the same
 * answer over GET, HEAD, POST with a body that is no JSON, the opening of a
 * WebSocket and each of its messages, the same routes asked over the realtime
 * socket, a job that the caller adds, and a channel whose lock says the same.
 */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import {
  type ControllerClass,
  Ctx,
  controller,
  Get,
  IsGranted,
  Job,
  Post,
  RequireScope,
  WebSocket,
  type WebSocketContext
} from 'svc-decorators'
import svcJobs from 'svc-jobs'
import svcRealtime, { type ClauseOption } from 'svc-realtime'
import { ABSTAIN, type AccessVoter, DENY, GRANT } from 'svc-security'
import t, { type Test } from 'tap'
import { bearer, PlainCredential } from '../support/plain-credential.ts'
import { rawExchange, rawRequest } from '../support/raw-http.ts'
import { SocketClient } from '../support/socket-client.ts'
import { startApp } from '../support/start-app.ts'

const callers = {
  visitor: {},
  alice: { 'x-person': 'alice/ROLE_USER' },
  editor: { 'x-person': 'editor/ROLE_EDITOR' },
  admin: { 'x-person': 'admin/ROLE_ADMIN' },
  reader: bearer('reader/ROLE_USER/orders:read'),
  robot: bearer('robot/ROLE_USER')
} as const

type Caller = keyof typeof callers

/** Decorators of the guard, the same as clauses of a lock, and who passes; everybody else is refused. */
const guards: Record<string, { decorators: MethodDecorator[]; requires: ClauseOption[]; granted: Caller[] }> = {
  role: {
    decorators: [guard('ROLE_USER')],
    requires: ['ROLE_USER'],
    granted: ['alice', 'editor', 'admin', 'reader', 'robot']
  },
  either: {
    decorators: [guard(['ROLE_ADMIN', 'ROLE_EDITOR'])],
    requires: [['ROLE_ADMIN', 'ROLE_EDITOR']],
    granted: ['editor', 'admin']
  },
  both: {
    decorators: [guard('ROLE_USER'), guard('ROLE_EDITOR')],
    requires: ['ROLE_USER', 'ROLE_EDITOR'],
    granted: ['editor', 'admin']
  },
  scope: {
    decorators: [RequireScope('orders:read') as MethodDecorator],
    requires: ['orders:read'],
    granted: ['visitor', 'alice', 'editor', 'admin', 'reader']
  },
  own: { decorators: [guard('own', { subject: 'owner' })], requires: ['own'], granted: ['alice'] },
  slow: { decorators: [guard('slow')], requires: ['slow'], granted: ['admin'] },
  veto: {
    decorators: [guard('ROLE_USER'), guard('no-robot')],
    requires: ['ROLE_USER', 'no-robot'],
    granted: ['alice', 'editor', 'admin', 'reader']
  },
  'veto-in-or': {
    decorators: [guard(['no-robot', 'ROLE_USER'])],
    requires: [['no-robot', 'ROLE_USER']],
    granted: ['visitor', 'alice', 'editor', 'admin', 'reader', 'robot']
  },
  unheard: { decorators: [guard('unheard')], requires: ['unheard'], granted: [] },
  broken: { decorators: [guard('broken')], requires: ['broken'], granted: [] }
}

/** While true, every identity is granted everything: the way to a socket whose messages are then judged. */
let doorOpen = false

const voters: readonly AccessVoter[] = [
  { name: 'doorman', supports: () => doorOpen, vote: () => GRANT },
  judged('own', (token, subject) => (token.getUserIdentifier() === subject ? GRANT : ABSTAIN)),
  judged('slow', async (token) => {
    await new Promise((resume) => setImmediate(resume))
    return token.user.roles.includes('ROLE_ADMIN') ? GRANT : ABSTAIN
  }),
  judged('no-robot', (token) => (token.getUserIdentifier() === 'robot' ? DENY : GRANT)),
  judged('broken', () => Promise.reject(new Error('out of order')))
]

type Vote = AccessVoter['vote']

function judged(verb: string, vote: (token: Parameters<Vote>[0], subject: unknown) => ReturnType<Vote>): AccessVoter {
  return {
    name: verb,
    supports: (attribute) => !doorOpen && attribute === verb,
    vote: (token, _attribute, subject) => vote(token, subject)
  }
}

function guard(attributes: string | string[], options?: { subject: string }): MethodDecorator {
  return IsGranted(attributes, options) as MethodDecorator
}

/** A controller for each guard: GET and WEBSOCKET on one method, POST on another; all open to the realtime socket. */
function guardedController(prefix: string, name: string): ControllerClass {
  const { decorators } = guards[name] as { decorators: MethodDecorator[] }
  const everyGuard: MethodDecorator = (target, key, descriptor) => {
    for (const decorate of decorators) decorate(target, key, descriptor)
  }
  @controller(`${prefix}/${name}/:owner`)
  class Guarded {
    @Get('', { config: { realtime: true } })
    @WebSocket()
    @everyGuard
    read(): unknown {
      return { passed: true }
    }

    @Post('', { schema: { body: { type: 'object', required: ['item'] } }, config: { realtime: true } })
    @everyGuard
    write(): unknown {
      return { passed: true }
    }

    @Job(`${prefix.slice(1)}.${name}`)
    @everyGuard
    later(): void {
      // That it ran is in its record.
    }
  }
  return Guarded
}

/** Adds a job as its caller, waits until it has ended, and says how. */
const laterRoutes = fp(async (fastify: FastifyInstance) => {
  for (const zone of ['open', 'closed', 'outside']) {
    fastify.post(`/${zone}/later/:name/:owner`, async ({ params }) => {
      const { name, owner } = params as { name: string; owner: string }
      const { id } = await fastify.jobs.add(`${zone}.${name}`, { owner })
      for (let turns = 0; turns < 500; turns += 1) {
        const { state, endedAt } = await fastify.jobs.get(id)
        if (endedAt !== null) return state
        await new Promise((resume) => setTimeout(resume, 2))
      }
      return 'waiting'
    })
  }
})

/** The people of the table, as accounts. */
const users = {
  findByIdentifier: (identifier: string) => {
    const role = { editor: 'ROLE_EDITOR', admin: 'ROLE_ADMIN' }[identifier] ?? 'ROLE_USER'
    return identifier in callers ? { identifier, roles: [role] } : null
  }
}

async function guardedApp(t: Test): Promise<number> {
  const { port } = await startApp(t, {
    security: {
      areas: {
        open: { pattern: '^/open', authenticators: ['person', 'bearer', 'anonymous'] },
        closed: { pattern: '^/closed', authenticators: ['person', 'bearer'] },
        socket: { pattern: '^/svc/realtime', authenticators: ['person', 'bearer', 'anonymous'] }
      },
      roleHierarchy: { ROLE_ADMIN: ['ROLE_EDITOR'], ROLE_EDITOR: ['ROLE_USER'] },
      parts: {
        voters,
        users,
        authenticators: {
          person: new PlainCredential('userpassword', (headers) => headers['x-person'] as string | undefined, 'Basic'),
          bearer: PlainCredential.bearer()
        }
      }
    },
    modules: [[svcRealtime, { channels: locks }], svcJobs, laterRoutes],
    controllers: ['/open', '/closed', '/outside'].flatMap((prefix) =>
      Object.keys(guards).map((name) => guardedController(prefix, name))
    )
  })
  return port
}

/** A lock for each guard; what stands for the route parameter is the last part of the name. */
const locks = Object.entries(guards).map(([name, { requires }]) => ({ pattern: `${name}:*`, requires, publish: true }))

/** Asks over the realtime socket, which was opened as the caller. */
async function realtime(port: number, headers: Record<string, string>, method: string, params: object) {
  const client = await SocketClient.opened(port, '/svc/realtime', headers)
  client.ws.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  type Frame = { id?: number; result?: object; error?: { code: number; data: { status: number } } }
  let frame = (await client.next()) as Frame
  while (frame.id === undefined) frame = (await client.next()) as Frame
  client.close()
  const { error } = frame
  if (error === undefined) return 200
  const codes: Record<number, number> = { 401: -32001, 403: -32003 }
  return error.code === (codes[error.data.status] ?? -32000) ? error.data.status : `error ${error.code}`
}

/** What each way in answers: `passed`, or the status of the refusal. */
const ways: Record<string, (port: number, target: string, headers: Record<string, string>) => Promise<unknown>> = {
  GET: async (port, target, headers) => passedOn(200, await status(port, 'GET', target, headers)),
  HEAD: async (port, target, headers) => passedOn(200, await status(port, 'HEAD', target, headers)),
  'POST, no JSON': async (port, target, headers) => passedOn(400, await status(port, 'POST', target, headers, '{"')),
  'POST, invalid': async (port, target, headers) => passedOn(400, await status(port, 'POST', target, headers, '{}')),
  'invoked GET': async (port, path, headers) =>
    passedOn(200, await realtime(port, headers, 'api.request', { path, method: 'GET' })),
  'invoked POST, invalid': async (port, path, headers) =>
    passedOn(
      400,
      await realtime(port, headers, 'api.request', { path, method: 'POST', body: {}, idempotencyKey: 'key' })
    ),
  job: async (port, target, headers) => {
    const later = target.replace(/^\/\w+/, (zone) => `${zone}/later`)
    const answer = await rawExchange(port, rawRequest('POST', later, headers, ''))
    // A refused job is parked, whichever of the two refused it.
    if (answer.status !== 200) return answer.status
    return { done: 'passed', parked: 403 }[answer.body] ?? answer.body
  },
  opening: async (port, target, headers) => {
    const client = await SocketClient.open(port, target, headers)
    if (typeof client === 'number') return client
    client.close()
    return 'passed'
  },
  message: async (port, target, headers) => {
    doorOpen = true
    const client = await SocketClient.open(port, target, headers).finally(() => {
      doorOpen = false
    })
    if (typeof client === 'number') return client
    const answer = (await client.ask('')) as { passed?: boolean; statusCode?: number }
    if (answer.passed === true) {
      client.close()
      return 'passed'
    }
    const { code } = await client.closed
    return code === 1008 ? answer.statusCode : `closed with ${code}`
  }
}

async function status(port: number, method: string, target: string, headers: Record<string, string>, body = '') {
  const type = body === '' ? {} : { 'content-type': 'application/json' }
  return (await rawExchange(port, rawRequest(method, target, { ...type, ...headers }, body))).status
}

/** Channels know no zones but that of their socket, which admits visitors. */
const onChannels: typeof ways = {
  subscribe: async (port, channel, headers) =>
    passedOn(200, await realtime(port, headers, 'channel.subscribe', { channel })),
  publish: async (port, channel, headers) =>
    passedOn(200, await realtime(port, headers, 'channel.publish', { channel, data: 1 }))
}

function passedOn(expected: number, given: number | string): unknown {
  return given === expected ? 'passed' : given
}

for (const [name, { granted }] of Object.entries(guards)) {
  t.test(`guard ${name}: the same answer on every way in`, async (t) => {
    const port = await guardedApp(t)
    for (const caller of Object.keys(callers) as Caller[]) {
      const expected = {
        open: granted.includes(caller) ? 'passed' : 403,
        closed: caller === 'visitor' ? 401 : granted.includes(caller) ? 'passed' : 403,
        outside: 403
      }
      for (const [zone, answer] of Object.entries(expected)) {
        for (const [way, ask] of Object.entries(ways)) {
          t.equal(await ask(port, `/${zone}/${name}/alice`, callers[caller]), answer, `${caller}, ${zone}, ${way}`)
        }
      }
      for (const [way, ask] of Object.entries(onChannels)) {
        t.equal(await ask(port, `${name}:alice`, callers[caller]), expected.open, `${caller}, channel, ${way}`)
      }
    }
  })
}

t.test('a socket whose identity is withdrawn has lost it for its next message', async (t) => {
  @controller('/open')
  class Forgetful {
    @WebSocket('/forget')
    @IsGranted('ROLE_USER')
    forget(@Ctx() { request }: WebSocketContext): unknown {
      request.token = null
      return { forgotten: true }
    }
  }
  const { port } = await startApp(t, {
    security: {
      areas: { open: { pattern: '^/open', authenticators: ['bearer', 'anonymous'] } },
      parts: { authenticators: { bearer: PlainCredential.bearer() } }
    },
    controllers: [Forgetful]
  })
  const client = await SocketClient.opened(port, '/open/forget', bearer('alice/ROLE_USER'))
  t.same(await client.ask(''), { forgotten: true })
  t.match(await client.ask(''), { statusCode: 403, code: 'SVC_SEC_DENIED' })
  t.strictSame(await client.closed, { code: 1008, reason: 'access denied' })
})

t.test('a voter that changes its mind: granted, granted, refused, and closed', async (t) => {
  let allowed = 3
  const counting: AccessVoter = {
    supports: (attribute) => attribute === 'counted',
    vote: () => (allowed-- > 0 ? GRANT : ABSTAIN)
  }
  @controller('/open')
  class Counted {
    @WebSocket('/counted')
    @IsGranted('counted')
    count(): unknown {
      return { passed: true }
    }
  }
  const { port, records } = await startApp(t, {
    security: { areas: { open: { pattern: '^/open', authenticators: ['anonymous'] } }, parts: { voters: [counting] } },
    controllers: [Counted]
  })
  const client = await SocketClient.opened(port, '/open/counted')
  t.same(await client.ask(''), { passed: true })
  t.same(await client.ask(''), { passed: true })
  t.match(await client.ask(''), { statusCode: 403 })
  t.match(await client.closed, { code: 1008 })
  t.match(records, [{ action: 'access.denied', actor: 'anonymous', reason: 'abstain' }])
})
