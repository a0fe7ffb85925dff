/**
 * Controllers that throw whatever can be thrown, wherever they can: each caller
 * gets one plain answer, on both transports, and the next caller is served.
 */
import svcDecorators, {
  type ControllerClass,
  Ctx,
  controller,
  Get,
  type HttpContext,
  Param,
  WebSocket
} from 'svc-decorators'
import type { Mode } from 'svc-kernel'
import t, { type Test } from 'tap'
import { ERROR } from '../support/log-lines.ts'
import { rawExchange, rawRequest } from '../support/raw-http.ts'
import { SocketClient } from '../support/socket-client.ts'
import { startApp } from '../support/start-app.ts'

const refuse = (): never => {
  throw new Error('no')
}

/** Everything that may be thrown, by name. */
const thrown: Record<string, unknown> = {
  error: new Error('the secret is 1234'),
  undefined: undefined,
  null: null,
  text: 'the secret is 1234',
  number: 404,
  symbol: Symbol('the secret is 1234'),
  bigint: 7n,
  frozen: Object.freeze(new Error('the secret is 1234')),
  bare: Object.create(null),
  array: [new Error('the secret is 1234')],
  'circular cause': circular(),
  'message that throws': Object.defineProperty(new Error(), 'message', { get: refuse }),
  'status that throws': Object.defineProperty(new Error('x'), 'statusCode', { get: refuse }),
  'proxy that throws': new Proxy(new Error('x'), { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse }),
  'status of a success': Object.assign(new Error('x'), { statusCode: 200 }),
  'status of no kind': Object.assign(new Error('x'), { statusCode: 'teapot' }),
  'status beyond': Object.assign(new Error('x'), { statusCode: 1_000 }),
  'headers that are none': Object.assign(new Error('x'), { headers: { 'retry-after': {}, 'bad\nname': 'x' } }),
  promise: Promise.resolve('the secret is 1234')
}

/** Values that no answer can be made of. */
const unsendable: Record<string, unknown> = {
  circular: circular(),
  bigint: { value: 7n },
  'toJSON that throws': { toJSON: refuse },
  'getter that throws': Object.defineProperty({}, 'x', { get: refuse, enumerable: true })
}

function circular(): Error {
  const error = new Error('the secret is 1234')
  return Object.assign(error, { cause: error, self: error })
}

@controller('/fault')
class Faulty {
  @Get('/sync/:what')
  @WebSocket('/sync/:what')
  sync(@Param('what') what: string): never {
    throw thrown[what]
  }

  @Get('/async/:what')
  @WebSocket('/async/:what')
  async async(@Param('what') what: string): Promise<never> {
    await new Promise((resume) => setImmediate(resume))
    throw thrown[what]
  }

  @Get('/unsendable/:what')
  @WebSocket('/unsendable/:what')
  unsendable(@Param('what') what: string): unknown {
    return unsendable[what]
  }

  @Get('/half')
  half(@Ctx() { reply }: HttpContext): never {
    reply.header('content-type', 'text/csv').code(201)
    throw new Error('halfway')
  }
}

@controller('/built')
class Unbuilt {
  constructor() {
    throw new Error('the secret is 1234')
  }

  @Get()
  @WebSocket()
  read(): string {
    return 'never'
  }
}

@controller('/prepared')
class Unprepared {
  async initialize(): Promise<void> {
    throw new Error('the secret is 1234')
  }

  @Get()
  @WebSocket()
  read(): string {
    return 'never'
  }
}

@controller('/well')
class Well {
  @Get()
  @WebSocket()
  read(): unknown {
    return { well: true }
  }
}

async function faultyApp(t: Test, mode: Mode = 'production') {
  const controllers: ControllerClass[] = [Faulty, Unbuilt, Unprepared, Well]
  const { port, lines } = await startApp(t, { mode, modules: [[svcDecorators, { controllers }]] })
  const unhandled: unknown[] = []
  const collect = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', collect)
  t.teardown(() => process.off('unhandledRejection', collect))
  const ask = (target: string) => rawExchange(port, rawRequest('GET', encodeURI(target)))
  return { port, lines, ask, unhandled }
}

const failing = [
  ...Object.keys(thrown).flatMap((what) => [`/fault/sync/${what}`, `/fault/async/${what}`]),
  ...Object.keys(unsendable).map((what) => `/fault/unsendable/${what}`),
  '/built',
  '/prepared'
]

t.test('over HTTP: one opaque 500, and the next request is served', async (t) => {
  const { ask, lines, unhandled } = await faultyApp(t)
  const opaque = {
    statusCode: 500,
    code: 'SVC_HTTP_INTERNAL',
    error: 'Internal Server Error',
    message: 'internal error'
  }
  for (const target of failing) {
    const answer = await ask(target)
    t.equal(answer.status, 500, target)
    t.same(JSON.parse(answer.body), opaque, target)
  }
  t.same(JSON.parse((await ask('/well')).body), { well: true })
  t.equal(lines.filter(({ level }) => level === ERROR).length, failing.length, 'each is in the log once')
  t.strictSame(unhandled, [])
})

t.test('over WebSocket: one error frame, and the same socket is served on', async (t) => {
  const { port, lines, unhandled } = await faultyApp(t)
  for (const target of failing) {
    const client = await SocketClient.opened(port, encodeURI(target))
    for (const attempt of ['first', 'second']) {
      t.match(await client.ask(''), { statusCode: 500, message: 'internal error' }, `${target}, ${attempt}`)
    }
    client.close()
  }
  t.equal(lines.filter(({ level }) => level === ERROR).length, failing.length * 2)
  t.same(await (await SocketClient.opened(port, '/well')).ask(''), { well: true })
  t.strictSame(unhandled, [])
})

t.test('an answer that was begun is not mixed with the error', async (t) => {
  const { ask } = await faultyApp(t)
  const { status, headers, body } = await ask('/fault/half')
  t.equal(status, 500)
  t.match(headers['content-type'], 'application/json')
  t.match(JSON.parse(body), { statusCode: 500 })
})

t.test('in development the message is shown, and nothing else breaks', async (t) => {
  const { ask } = await faultyApp(t, 'development')
  for (const target of failing) t.equal((await ask(target)).status, 500, target)
  t.match(JSON.parse((await ask('/fault/sync/error')).body), { message: 'the secret is 1234' })
})
