/**
 * One guard, five ways in: a table of callers and requirements gives the same
 * answer over GET, HEAD, POST with a body that is no JSON, the opening of a
 * WebSocket and each of its messages.
 */
import {
  type ControllerClass,
  Ctx,
  controller,
  Get,
  IsGranted,
  Post,
  RequireScope,
  WebSocket,
  type WebSocketContext
} from 'svc-decorators'
import { ABSTAIN, type AccessVoter, DENY, GRANT } from 'svc-security'
import t, { type Test } from 'tap'
import { bearer, PlainCredential } from './plain-credential.ts'
import { rawExchange, rawRequest } from './raw-http.ts'
import { SocketClient } from './socket-client.ts'
import { startApp } from './start-app.ts'

const callers = {
  visitor: {},
  alice: { 'x-person': 'alice/ROLE_USER' },
  editor: { 'x-person': 'editor/ROLE_EDITOR' },
  admin: { 'x-person': 'admin/ROLE_ADMIN' },
  reader: bearer('reader/ROLE_USER/orders:read'),
  robot: bearer('robot/ROLE_USER')
} as const

type Caller = keyof typeof callers

/** Decorators of the guard, and who passes it; everybody else is refused. */
const guards: Record<string, { decorators: MethodDecorator[]; granted: Caller[] }> = {
  role: { decorators: [guard('ROLE_USER')], granted: ['alice', 'editor', 'admin', 'reader', 'robot'] },
  either: { decorators: [guard(['ROLE_ADMIN', 'ROLE_EDITOR'])], granted: ['editor', 'admin'] },
  both: { decorators: [guard('ROLE_USER'), guard('ROLE_EDITOR')], granted: ['editor', 'admin'] },
  scope: {
    decorators: [RequireScope('orders:read') as MethodDecorator],
    granted: ['visitor', 'alice', 'editor', 'admin', 'reader']
  },
  own: { decorators: [guard('own', { subject: 'owner' })], granted: ['alice'] },
  slow: { decorators: [guard('slow')], granted: ['admin'] },
  veto: { decorators: [guard('ROLE_USER'), guard('no-robot')], granted: ['alice', 'editor', 'admin', 'reader'] },
  'veto-in-or': {
    decorators: [guard(['no-robot', 'ROLE_USER'])],
    granted: ['visitor', 'alice', 'editor', 'admin', 'reader', 'robot']
  },
  unheard: { decorators: [guard('unheard')], granted: [] },
  broken: { decorators: [guard('broken')], granted: [] }
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

/** A controller for each guard: GET and WEBSOCKET on one method, POST on another. */
function guardedController(prefix: string, name: string): ControllerClass {
  const { decorators } = guards[name] as { decorators: MethodDecorator[] }
  const everyGuard: MethodDecorator = (target, key, descriptor) => {
    for (const decorate of decorators) decorate(target, key, descriptor)
  }
  @controller(`${prefix}/${name}/:owner`)
  class Guarded {
    @Get()
    @WebSocket()
    @everyGuard
    read(): unknown {
      return { passed: true }
    }

    @Post('', { schema: { body: { type: 'object', required: ['item'] } } })
    @everyGuard
    write(): unknown {
      return { passed: true }
    }
  }
  return Guarded
}

async function guardedApp(t: Test): Promise<number> {
  const { port } = await startApp(t, {
    security: {
      areas: {
        open: { pattern: '^/open', authenticators: ['person', 'bearer', 'anonymous'] },
        closed: { pattern: '^/closed', authenticators: ['person', 'bearer'] }
      },
      roleHierarchy: { ROLE_ADMIN: ['ROLE_EDITOR'], ROLE_EDITOR: ['ROLE_USER'] },
      parts: {
        voters,
        authenticators: {
          person: new PlainCredential('userpassword', (headers) => headers['x-person'] as string | undefined, 'Basic'),
          bearer: PlainCredential.bearer()
        }
      }
    },
    controllers: ['/open', '/closed', '/outside'].flatMap((prefix) =>
      Object.keys(guards).map((name) => guardedController(prefix, name))
    )
  })
  return port
}

/** What each way in answers: `passed`, or the status of the refusal. */
const ways: Record<string, (port: number, target: string, headers: Record<string, string>) => Promise<unknown>> = {
  GET: async (port, target, headers) => passedOn(200, await status(port, 'GET', target, headers)),
  HEAD: async (port, target, headers) => passedOn(200, await status(port, 'HEAD', target, headers)),
  'POST, no JSON': async (port, target, headers) => passedOn(400, await status(port, 'POST', target, headers, '{"')),
  'POST, invalid': async (port, target, headers) => passedOn(400, await status(port, 'POST', target, headers, '{}')),
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

function passedOn(expected: number, given: number): unknown {
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
