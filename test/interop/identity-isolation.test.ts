/**
 * Two hundred requests and many sockets interleaved, on connections that change
 * hands: in every phase of each of them, only its own caller is ever seen.
 */
import { fastify as createFastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import svcDecorators, {
  Body,
  type ControllerContext,
  Ctx,
  CurrentUser,
  controller,
  Get,
  IsGranted,
  Message,
  Post,
  WebSocket,
  type WebSocketContext
} from 'svc-decorators'
import { currentRequest, currentToken, currentUser, type User } from 'svc-kernel'
import svcSecurity, { ABSTAIN, type Authenticator, GRANT } from 'svc-security'
import t, { type Test } from 'tap'
import { bearer, PlainCredential } from '../support/plain-credential.ts'
import { portOf } from '../support/ports.ts'
import type { RawAnswer } from '../support/raw-http.ts'
import { RawConnection, rawRequest } from '../support/raw-http.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { SocketClient } from '../support/socket-client.ts'

const random = new SeededRandom(20_261_121)
const NOBODY = 'anonymous'

/** `x-caller` says who the caller is, for this test alone; nothing authenticates by it. */
const callerOf = ({ headers }: FastifyRequest): string => String(headers['x-caller'])

/** What was seen: how often in each phase, and every sight of somebody else. */
class Sightings {
  readonly phases = new Map<string, number>()
  readonly strangers: string[] = []

  /** @param injected what the phase was handed as its user, where it was */
  note(phase: string, request: FastifyRequest, injected?: User): void {
    this.phases.set(phase, (this.phases.get(phase) ?? 0) + 1)
    const seen = {
      ambient: currentUser().identifier,
      token: currentToken()?.getUserIdentifier() ?? NOBODY,
      request: request.user?.identifier ?? NOBODY,
      injected: (injected ?? currentUser()).identifier,
      caller: currentRequest() === undefined ? 'no context' : callerOf(currentRequest() as FastifyRequest)
    }
    for (const [way, who] of Object.entries(seen)) {
      if (who !== callerOf(request)) this.strangers.push(`${phase}: ${way} is ${who}, not ${callerOf(request)}`)
    }
  }
}

let sightings = new Sightings()

@controller('/work')
class Work {
  #first: User | null = null

  async initialize({ request }: ControllerContext): Promise<void> {
    await random.pause()
    this.#first = currentUser()
    sightings.note('initialize', request)
  }

  @Get()
  async read(@CurrentUser() user: User): Promise<unknown> {
    return this.#work('get', user)
  }

  @Get('/guarded/:owner')
  @IsGranted('own', { subject: 'owner' })
  async guarded(@CurrentUser() user: User): Promise<unknown> {
    return this.#work('guarded', user)
  }

  @Post('', { schema: { body: { type: 'object', required: ['text'] } } })
  async write(@Body() _body: unknown, @CurrentUser() user: User): Promise<unknown> {
    return this.#work('post', user)
  }

  @Get('/failing')
  async fail(@CurrentUser() user: User): Promise<never> {
    await this.#work('failing', user)
    throw new Error('as asked')
  }

  @WebSocket('/socket')
  async speak(@Message() text: string, @CurrentUser() user: User, @Ctx() { request }: WebSocketContext) {
    sightings.note('message', request, user)
    await random.pause()
    sightings.note('message after a pause', request, user)
    return { who: currentUser().identifier, text }
  }

  async #work(phase: string, user: User): Promise<unknown> {
    const request = currentRequest() as FastifyRequest
    sightings.note(phase, request, user)
    await random.pause()
    sightings.note(`${phase} after a pause`, request, this.#first as User)
    return { who: currentUser().identifier }
  }
}

/** Verifies after a pause, so that identities arrive while others are at work. */
function slowBearer(): Authenticator {
  const plain = PlainCredential.bearer()
  return {
    carrier: 'authorization',
    supports: (ctx) => plain.supports(ctx),
    createToken: (ctx) => plain.createToken(ctx),
    authenticate: async (credential) => {
      await random.pause()
      return plain.authenticate(credential as string)
    }
  }
}

async function workApp(t: Test): Promise<number> {
  const fastify = createFastify() as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  sightings = new Sightings()
  const note = (phase: string) => async (request: FastifyRequest) => {
    await random.pause(2)
    sightings.note(phase, request)
  }
  fastify.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    await random.pause(2)
    sightings.note('error handler', request)
    return reply.code(error.statusCode ?? 500).send({ who: currentUser().identifier })
  })
  await fastify.register(svcSecurity, {
    areas: { work: { pattern: '^/work', authenticators: ['bearer', 'anonymous'] } },
    parts: {
      authenticators: { bearer: slowBearer() },
      voters: [
        {
          supports: (attribute) => attribute === 'own',
          vote: async (token, _attribute, subject) => {
            await random.pause()
            return token.getUserIdentifier() === subject ? GRANT : ABSTAIN
          }
        }
      ]
    }
  })
  for (const phase of ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onResponse'] as const) {
    fastify.addHook(phase as 'onRequest', note(phase))
  }
  fastify.addHook('onError', note('onError'))
  fastify.addHook('onSend', async (request) => note('onSend')(request))
  fastify.addHook('preSerialization', async (request) => note('preSerialization')(request))
  await fastify.register(svcDecorators, { controllers: [Work] })
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  return portOf(fastify.server)
}

/** One request of a caller: its segments, its status, and who it must be answered as. */
interface Planned {
  readonly segments: readonly string[]
  readonly status: number
  readonly who: string
}

function plan(index: number): Planned {
  // Every ninth caller proves nothing, every eleventh proves it wrong.
  const who = index % 9 === 0 || index % 11 === 0 ? NOBODY : `user-${index}`
  const proof = index % 11 === 0 ? bearer('!') : index % 9 === 0 ? {} : bearer(who)
  const headers = { connection: 'keep-alive', 'x-caller': who, ...proof }
  const refused = index % 11 === 0 ? 401 : null
  const json = { ...headers, 'content-type': 'application/json' }
  const whole = (text: string, status: number): Planned => ({ segments: [text], status: refused ?? status, who })
  const split = (text: string, status: number): Planned => {
    const at = text.length - 1 - random.below(10)
    return { segments: [text.slice(0, at), text.slice(at)], status: refused ?? status, who }
  }
  switch (random.below(6)) {
    case 0:
      return whole(rawRequest('GET', '/work', headers), 200)
    case 1:
      return whole(rawRequest('GET', `/work/guarded/${who}`, headers), 200)
    case 2:
      return whole(rawRequest('GET', '/work/guarded/somebody-else', headers), 403)
    case 3:
      return split(rawRequest('POST', '/work', json, JSON.stringify({ text: 'x'.repeat(2_000) })), 200)
    case 4:
      return split(rawRequest('POST', '/work', json, random.pick(['{"text":', '{"other":1}'])), 400)
    default:
      return whole(rawRequest('GET', '/work/failing', headers), 500)
  }
}

t.test('200 requests on 20 connections that change hands', async (t) => {
  const port = await workApp(t)
  const plans = Array.from({ length: 200 }, (_, index) => plan(index))
  const wrong: unknown[] = []
  const drive = async (first: number): Promise<void> => {
    let connection = await RawConnection.open(port)
    t.teardown(() => connection.close())
    for (let index = first; index < plans.length; index += 20) {
      const { segments, status, who } = plans[index] as Planned
      await random.pause()
      const answer: RawAnswer = await connection.exchange(...segments)
      const { who: answered } = JSON.parse(answer.body) as { who: string }
      if (answer.status !== status || answered !== who) wrong.push({ segments, status, who, answer: answer.text })
      // Fastify gives up a connection whose body it could not read to the end.
      if (answer.headers.connection === 'close') connection = await RawConnection.open(port)
    }
  }
  await Promise.all(Array.from({ length: 20 }, (_, first) => drive(first)))
  // The hooks of the last response may still be running.
  while ((sightings.phases.get('onResponse') ?? 0) < plans.length) await new Promise((resume) => setImmediate(resume))
  t.strictSame(wrong, [])
  t.strictSame(sightings.strangers, [])
  t.equal(sightings.phases.get('onSend'), plans.length)
  const refused = plans.filter(({ status }) => status === 401).length
  t.equal(sightings.phases.get('onRequest'), plans.length - refused, 'the firewall answers before hooks behind it')
  const others = ['preParsing', 'preValidation', 'preHandler', 'preSerialization', 'onError', 'error handler']
  const handlers = ['initialize', 'get', 'guarded', 'post', 'failing after a pause']
  for (const phase of [...others, ...handlers]) t.ok((sightings.phases.get(phase) ?? 0) > 15, phase)
})

t.test('messages of 24 sockets interleaved with requests', async (t) => {
  const port = await workApp(t)
  const speak = async (number: number): Promise<number> => {
    const who = number % 6 === 0 ? NOBODY : `user-${number}`
    const headers = { 'x-caller': who, ...(number % 6 === 0 ? {} : bearer(who)) }
    const client = await SocketClient.opened(port, '/work/socket', headers)
    let right = 0
    for (let round = 0; round < 5; round += 1) {
      const texts = [`${number}-${round}-a`, `${number}-${round}-b`]
      for (const text of texts) client.ws.send(text)
      await random.pause()
      for (const text of texts) {
        const answer = (await client.next()) as { who: string; text: string }
        if (answer.who === who && answer.text === text) right += 1
      }
    }
    client.close()
    return right
  }
  const request = async (number: number): Promise<void> => {
    const connection = await RawConnection.open(port)
    for (let round = 0; round < 5; round += 1) {
      const headers = { connection: 'keep-alive', 'x-caller': `guest-${round}`, ...bearer(`guest-${round}`) }
      const answer = await connection.exchange(rawRequest('GET', '/work', headers))
      t.equal((JSON.parse(answer.body) as { who: string }).who, `guest-${round}`, `connection ${number}`)
    }
    connection.close()
  }
  const sockets = Array.from({ length: 24 }, (_, number) => speak(number))
  const requests = Array.from({ length: 6 }, (_, number) => request(number))
  t.strictSame(await Promise.all(sockets), Array(24).fill(10))
  await Promise.all(requests)
  t.strictSame(sightings.strangers, [])
  t.equal(sightings.phases.get('message after a pause'), 240)
})
