/**
 * X1: schemas of any library that throw and reject, early and late, in every part of a request and in messages. Each
 * request gets the answer that its first failing part has in a model of its own, and no rejection is left unheard.
 */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Body, type ControllerClass, controller, IsGranted, Post, WebSocket } from 'svc-decorators'
import { createAccessToken, ensureKernel, type StandardSchema } from 'svc-kernel'
import t, { type Test } from 'tap'
import { SeededRandom } from '../support/seeded-random.ts'
import { SocketClient } from '../support/socket-client.ts'
import { startApp } from '../support/start-app.ts'

const SEED = 20_261_125
const ROUTES = 400

const PARTS = ['params', 'body', 'querystring', 'headers'] as const

const refuse = (): never => {
  throw new Error('no')
}
const THROWN: readonly [unknown, ...unknown[]] = [
  new Error('late'),
  undefined,
  null,
  0,
  '',
  'text',
  Object.freeze(new Error('frozen')),
  Object.defineProperty(new Error(), 'message', { get: refuse }),
  new Proxy(new Error('x'), { get: refuse, has: refuse, ownKeys: refuse })
]

/** What a schema does, and the status that it means; `null` where the next part decides. */
const CONDUCT = {
  'passes at once': null,
  'passes later': null,
  'is absent': null,
  'finds issues at once': 400,
  'finds issues later': 400,
  'throws at once': 500,
  'rejects in the same turn': 500,
  'rejects turns later': 500,
  'answers nonsense': 500,
  'answers nonsense later': 500,
  'rejects as a thenable': 500,
  'throws in then': 500
} as const
type Conduct = keyof typeof CONDUCT
const CONDUCTS = Object.keys(CONDUCT) as [Conduct, ...Conduct[]]

const ISSUES = { issues: [{ message: 'is wrong', path: ['a'] }] }

function validation(conduct: Conduct, thrown: unknown, random: SeededRandom): (value: unknown) => unknown {
  switch (conduct) {
    case 'passes at once':
    case 'is absent':
      return (value) => ({ value })
    case 'passes later':
      return async (value) => {
        await random.pause(2)
        return { value }
      }
    case 'finds issues at once':
      return () => ISSUES
    case 'finds issues later':
      return async () => {
        await random.pause(2)
        return ISSUES
      }
    case 'throws at once':
      return () => {
        throw thrown
      }
    case 'rejects in the same turn':
      return () => Promise.reject(thrown)
    case 'rejects turns later':
      return async () => {
        await random.pause(3)
        throw thrown
      }
    case 'answers nonsense':
      return () => 7
    case 'answers nonsense later':
      return async () => null
    case 'rejects as a thenable':
      // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tried
      return () => ({ then: (_: unknown, reject: (error: unknown) => void) => setImmediate(reject, thrown) })
    case 'throws in then':
      // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tried
      return () => ({ then: refuse })
  }
}

function schemaOf(conduct: Conduct, random: SeededRandom): StandardSchema | undefined {
  if (conduct === 'is absent') return undefined
  const validate = validation(conduct, random.pick(THROWN), random) as StandardSchema['~standard']['validate']
  return { '~standard': { version: 1, vendor: 'fuzz', validate } }
}

interface Case {
  readonly title: string
  /** Of the first part that fails; 200 where none does. */
  readonly status: number
  readonly Class: ControllerClass
}

/** Fastify validates params, body, query, headers; the first that fails is the answer. */
function makeCase(index: number, random: SeededRandom): Case {
  const conducts = PARTS.map((part) => [part, random.pick(CONDUCTS)] as const)
  const schemas = conducts.map(([part, conduct]) => [part, schemaOf(conduct, random)] as const)
  const schema = Object.fromEntries(schemas.filter(([, each]) => each !== undefined))

  @controller(`/${index}`)
  class Fuzzed {
    @Post('/:id', { schema })
    post(): unknown {
      return { ok: true }
    }
  }
  // Half of them behind a guard whose answer comes later.
  if (random.below(2) === 0) IsGranted('ROLE_ANY')(Fuzzed)
  const statuses = conducts.map(([, conduct]) => CONDUCT[conduct])
  const status = statuses.find((each) => each !== null) ?? 200
  return { title: `${index} ${JSON.stringify(conducts)}`, status, Class: Fuzzed }
}

/** Everybody is somebody, and may; both turn out some turns later. */
function lateAnswers(random: SeededRandom) {
  return fp(async (fastify: FastifyInstance) => {
    await ensureKernel(fastify)
    const token = createAccessToken({ type: 'session', user: { identifier: 'ann', roles: [] } })
    fastify.addHook('onRequest', async (request) => {
      await random.pause(1)
      request.token = token
    })
    fastify.accessGate.use({
      allows: async () => {
        await random.pause(2)
        return true
      }
    })
    fastify.setValidatorCompiler(() => () => {
      throw Object.freeze(new Error('a compiler of the application'))
    })
  })
}

async function fuzzed(t: Test, random: SeededRandom, controllers: readonly ControllerClass[]) {
  const unheard: unknown[] = []
  const collect = (reason: unknown): void => void unheard.push(reason)
  for (const event of ['unhandledRejection', 'uncaughtException']) {
    process.on(event, collect)
    t.teardown(() => process.off(event, collect))
  }
  const app = await startApp(t, { security: false, modules: [lateAnswers(random)], controllers })
  const settled = async (): Promise<unknown[]> => {
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resume) => setImmediate(resume))
    return unheard
  }
  return { ...app, settled }
}

t.test('X1: whatever schemas throw, and whenever, is an answer and no unheard rejection', async (t) => {
  const random = new SeededRandom(SEED)
  const cases = Array.from({ length: ROUTES }, (_, index) => makeCase(index, random))
  const { fastify, settled } = await fuzzed(
    t,
    random,
    cases.map(({ Class }) => Class)
  )
  const ask = (index: number) =>
    fastify.inject({ method: 'POST', url: `/${index}/7?a=b`, headers: { 'x-a': 'b' }, payload: { a: 1 } })
  const answers = await Promise.all(cases.map((_, index) => ask(index)))
  for (const [index, { statusCode }] of answers.entries()) {
    const { status, title } = cases[index] as Case
    t.equal(statusCode, status, title)
  }
  t.strictSame(await settled(), [])
})

t.test('X1: whatever the schema of a message throws is an answer, and the socket is served on', async (t) => {
  const random = new SeededRandom(SEED)
  const conducts = CONDUCTS.flatMap((conduct) => THROWN.map((thrown) => ({ conduct, thrown })))
  const controllers = conducts.map(({ conduct, thrown }, index) => {
    const validate = validation(conduct, thrown, random) as StandardSchema['~standard']['validate']

    @controller(`/${index}`)
    @IsGranted('ROLE_ANY')
    class Messages {
      @WebSocket('/', { body: { '~standard': { version: 1, vendor: 'fuzz', validate } } })
      take(@Body() body: unknown): unknown {
        return { took: body }
      }
    }
    return Messages
  })
  const { port, settled } = await fuzzed(t, random, controllers)
  for (const [index, { conduct }] of conducts.entries()) {
    const client = await SocketClient.opened(port, `/${index}`)
    const status = CONDUCT[conduct]
    for (const attempt of ['first', 'second']) {
      const expected = status === null ? { took: { a: 1 } } : { statusCode: status }
      t.match(await client.ask('{"a":1}'), expected, `${conduct}, ${attempt}`)
    }
    client.close()
  }
  t.strictSame(await settled(), [])
})

t.test('X1: what a compiler of the application throws behind a schema that answers later is a 500', async (t) => {
  const random = new SeededRandom(SEED)

  @controller('/compiled')
  class Compiled {
    @Post('/:id', { schema: { params: schemaOf('passes later', random), body: { type: 'object' } } })
    post(): unknown {
      return { ok: true }
    }
  }
  const { fastify, settled } = await fuzzed(t, random, [Compiled])
  t.equal((await fastify.inject({ method: 'POST', url: '/compiled/7', payload: {} })).statusCode, 500)
  t.strictSame(await settled(), [])
})
