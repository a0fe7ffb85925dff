/**
 * `@Fresh` and `@Factor` through every door: a request, a message of a WebSocket, a call over the realtime socket and a job
 * answer alike. Who is asked to prove more keeps the socket.
 */
import type { FastifyInstance } from 'fastify'
import { Ctx, controller, Factor, Fresh, Get, IsGranted, Job, type JobContext, Post, WebSocket } from 'svc-decorators'
import svcJobs from 'svc-jobs'
import { type AccessToken, createAccessToken } from 'svc-kernel'
import svcRealtime from 'svc-realtime'
import type { AuthenticationContext, Authenticator } from 'svc-security'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { API, accountApp, PASSWORD } from '../support/account-app.ts'
import { rawExchange, rawRequest } from '../support/raw-http.ts'
import { SocketClient } from '../support/socket-client.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

/** Reads `alice ROLE_A,ROLE_B <seconds since the proof or -> otp,pwd`, and believes it. */
class Claimed implements Authenticator<string> {
  readonly tokenType: string
  readonly carrier: 'authorization' | 'header'
  readonly subject: 'person' | 'machine'
  readonly stepUp?: true
  readonly #header: string
  readonly #clock: ManualClock

  constructor(tokenType: string, header: string, clock: ManualClock) {
    this.tokenType = tokenType
    this.#header = header
    this.#clock = clock
    if (tokenType === 'jwt') this.stepUp = true
    this.subject = tokenType === 'session' ? 'person' : 'machine'
    this.carrier = tokenType === 'session' ? 'header' : 'authorization'
  }

  supports({ headers }: AuthenticationContext): boolean {
    return headers[this.#header] !== undefined
  }

  createToken({ headers }: AuthenticationContext): string {
    return String(headers[this.#header])
  }

  authenticate(credential: string): AccessToken {
    const [identifier = '', roles = '', age = '-', factors = ''] = credential.split(' ')
    const provenAt = age === '-' ? null : this.#clock.now() - Number(age) * 1000
    const list = (text: string) => text.split(',').filter(Boolean)
    const user = { identifier, roles: list(roles) }
    return createAccessToken({ type: this.tokenType, user, provenAt, factors: list(factors) })
  }
}

/** What happens while the job `outer` runs. */
let meanwhile: () => void = () => undefined

@controller('/in')
class Vault {
  readonly #app: FastifyInstance

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  @Get('/fresh', { config: { realtime: true } })
  @WebSocket('/fresh')
  @Job('fresh')
  @IsGranted('ROLE_USER')
  @Fresh(300)
  fresh(): unknown {
    return { passed: true }
  }

  @Get('/factor', { config: { realtime: true } })
  @WebSocket('/factor')
  @Job('factor')
  @Factor('any')
  @IsGranted('ROLE_USER')
  factor(): unknown {
    return { passed: true }
  }

  @Get('/admitting', { config: { realtime: true } })
  @WebSocket('/admitting')
  @Job('admitting')
  @Fresh(300, { machines: true })
  admitting(): unknown {
    return { passed: true }
  }

  @Post('/later/:name')
  async later(@Ctx() { request }: JobContext): Promise<unknown> {
    return this.#app.jobs.add((request.params as { name: string }).name)
  }

  @Job('outer')
  async outer(): Promise<void> {
    meanwhile()
    await this.#app.jobs.add('fresh')
  }
}

@controller('/strict')
class Strict {
  @Get('/plain', { config: { realtime: true } })
  @Job('strict')
  plain(): unknown {
    return { passed: true }
  }
}

/** A channel that asks what `fresh` asks. */
const LOCK = { pattern: 'vault', requires: ['ROLE_USER', 'FRESH(300)'] }

async function opened(t: Test) {
  const clock = new ManualClock()
  const users = { findByIdentifier: (identifier: string) => ({ identifier, roles: ['ROLE_USER'] }) }
  const names = ['person', 'token', 'machine']
  const { fastify, port, records } = await startApp(t, {
    security: {
      areas: {
        in: { pattern: '^/in', authenticators: names },
        strict: { pattern: '^/strict', authenticators: names, requireFactor: 'any' },
        socket: { pattern: '^/svc/realtime', authenticators: names }
      },
      realtime: { revalidateWindowMs: 0 },
      parts: {
        clock,
        users,
        authenticators: {
          person: new Claimed('session', 'x-person', clock),
          token: new Claimed('jwt', 'x-token', clock),
          machine: new Claimed('apikey', 'x-machine', clock)
        }
      }
    },
    modules: [[svcRealtime, { channels: [LOCK] }], svcJobs],
    controllers: [Vault, Strict]
  })
  return { fastify, port, records, clock }
}

type World = Awaited<ReturnType<typeof opened>>

const GET = async ({ port }: World, name: string, headers: Record<string, string>) => {
  const answer = await rawExchange(port, rawRequest('GET', `/in/${name}`, headers))
  const parsed = JSON.parse(answer.body)
  return answer.status === 200 ? parsed : { ...parsed, challenged: 'www-authenticate' in answer.headers }
}

/** Ways in, but for a message: what a caller may not, the upgrade refuses. */
const OVER_REALTIME = async ({ port }: World, name: string, headers: Record<string, string>) => {
  const client = await SocketClient.opened(port, '/svc/realtime', headers)
  const params = { path: name.startsWith('/') ? name : `/in/${name}`, method: 'GET' }
  client.ws.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'api.request', params }))
  type Frame = { id?: number; result?: { body: unknown }; error?: { message: string; data: object } }
  let frame = (await client.next()) as Frame
  while (frame.id === undefined) frame = (await client.next()) as Frame
  client.close()
  return frame.error?.data ?? frame.result?.body
}

const STATE = async ({ fastify, port }: World, name: string, headers: Record<string, string>) => {
  const added = await rawExchange(port, rawRequest('POST', `/in/later/${name}`, headers, ''))
  const { id } = JSON.parse(added.body) as { id: string }
  const job = await until(async () => {
    const found = await fastify.jobs.get(id)
    return found.endedAt !== null && found
  }, 'the end of the job')
  return job.state
}

const ANY = ['totp', 'passkey']
type Refusal = { code: string; status: 401 | 403; maxAge?: number; factors?: string[] }
const due = (more: object): Refusal => ({ status: 403, code: 'SVC_SEC_PROOF_DUE', ...more })
const stepUp = (more: object): Refusal => ({ status: 401, code: 'SVC_SEC_STEP_UP', ...more })
const PERSON: Refusal = { status: 403, code: 'SVC_SEC_PERSON' }
const DENIED: Refusal = { status: 403, code: 'SVC_SEC_DENIED' }

const ROWS: ReadonlyArray<readonly [header: string, credential: string, name: string, refusal: Refusal | null]> = [
  ['x-person', 'alice ROLE_USER 300 pwd', 'fresh', null],
  ['x-person', 'alice ROLE_USER 301 pwd', 'fresh', due({ maxAge: 300 })],
  ['x-person', 'alice ROLE_USER - pwd', 'fresh', due({ maxAge: 300 })],
  ['x-person', 'alice ROLE_NONE 301 pwd', 'fresh', DENIED],
  ['x-person', 'alice ROLE_USER 0 pwd', 'factor', due({ factors: ANY })],
  ['x-person', 'alice ROLE_USER 9999 pwd,otp', 'factor', null],
  ['x-token', 'alice ROLE_USER 300 pwd', 'fresh', null],
  ['x-token', 'alice ROLE_USER 301 pwd', 'fresh', stepUp({ maxAge: 300 })],
  ['x-token', 'alice ROLE_USER 0 pwd', 'factor', stepUp({ factors: ANY })],
  ['x-token', 'alice ROLE_USER 0 passkey', 'factor', null],
  ['x-machine', 'alice ROLE_USER', 'fresh', PERSON],
  ['x-machine', 'alice ROLE_USER', 'factor', PERSON],
  ['x-machine', 'alice ROLE_USER', 'admitting', null]
]

t.test('one table, over a request, a frame of the realtime socket, the opening of a socket and a job', async (t) => {
  const world = await opened(t)
  for (const [header, credential, name, refusal] of ROWS) {
    const headers = { [header]: credential }
    const what = `${header} ${credential}: ${name}`
    const { status, ...body } = refusal ?? { status: 200 }
    const expected = refusal === null ? { passed: true } : { statusCode: status, ...body }
    const answer = await GET(world, name, headers)
    t.match(answer, expected, what)
    if (refusal !== null) t.equal(answer.challenged, status === 401, `${what}: challenge`)
    const framed = await OVER_REALTIME(world, name, headers)
    t.match(framed, refusal ?? { passed: true }, `${what}: over the realtime socket`)
    const socket = await SocketClient.open(world.port, `/in/${name}`, headers)
    t.equal(typeof socket === 'number' ? socket : 200, status, `${what}: opening`)
    if (typeof socket !== 'number') {
      t.same(await socket.ask(''), { passed: true }, `${what}: message`)
      socket.close()
    }
    t.equal(await STATE(world, name, headers), refusal === null ? 'done' : 'parked', `${what}: job`)
  }
})

t.test('a message is answered with what to prove, and the socket stays', async (t) => {
  const world = await opened(t)
  const { port, clock } = world
  const person = await SocketClient.opened(port, '/in/fresh', { 'x-person': 'alice ROLE_USER 0 pwd' })
  const token = await SocketClient.opened(port, '/in/fresh', { 'x-token': 'alice ROLE_USER 0 pwd' })
  const machine = await SocketClient.opened(port, '/in/admitting', { 'x-machine': 'alice ROLE_USER' })
  t.same(await person.ask(''), { passed: true })
  clock.advance(300_001)
  for (const turn of [1, 2]) {
    const refused = await person.ask('')
    t.match(refused, { statusCode: 403, code: 'SVC_SEC_PROOF_DUE', maxAge: 300 }, `turn ${turn}`)
    t.match(await token.ask(''), { statusCode: 401, code: 'SVC_SEC_STEP_UP', maxAge: 300 }, `turn ${turn}`)
  }
  t.same(await machine.ask(''), { passed: true })
  for (const client of [person, token, machine]) client.close()
})

t.test('a lock of a channel says what to prove, and takes the channel from nobody who lacks a right', async (t) => {
  const { port } = await opened(t)
  const rows = [
    [{ 'x-person': 'alice ROLE_USER 300 pwd' }, null],
    [{ 'x-person': 'alice ROLE_USER 301 pwd' }, due({ maxAge: 300 })],
    [{ 'x-token': 'alice ROLE_USER 301 pwd' }, stepUp({ maxAge: 300 })],
    [{ 'x-person': 'alice ROLE_NONE 301 pwd' }, { status: 403 }]
  ] as const
  for (const [headers, refusal] of rows) {
    const client = await SocketClient.opened(port, '/svc/realtime', headers)
    client.ws.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'channel.subscribe', params: { channel: 'vault' } }))
    type Frame = { id?: number; result?: object; error?: { code: number; data: object } }
    let frame = (await client.next()) as Frame
    while (frame.id === undefined) frame = (await client.next()) as Frame
    if (refusal === null) t.strictSame(frame.result, { channel: 'vault' })
    else {
      const said = { channel: 'vault', reason: 'forbidden' }
      t.strictSame(frame.error?.data, { ...said, ...refusal }, JSON.stringify(headers))
      t.equal(frame.error?.code, -32003)
    }
    client.close()
  }
})

t.test('who confirms goes on with the socket that is open', async (t) => {
  const { browser, clock, port } = await accountApp(t, {
    security: { session: { idleTimeoutS: 0, absoluteTimeoutS: 0 }, realtime: { revalidateWindowMs: 0 } },
    modules: [svcJobs],
    controllers: [Vault]
  })
  const alice = browser()
  await alice.login()
  const origin = `http://127.0.0.1:${port}`
  const socket = await SocketClient.opened(port, '/in/fresh', { cookie: alice.cookie, origin })
  t.same(await socket.ask(''), { passed: true })
  clock.advance(300_001)
  t.match(await socket.ask(''), { statusCode: 403, code: 'SVC_SEC_PROOF_DUE', maxAge: 300 })
  const confirmed = await alice.post(`${API}/auth/confirm`, { password: PASSWORD }, await alice.csrf())
  t.equal(confirmed.status, 200, confirmed.body)
  t.same(await socket.ask(''), { passed: true })
  clock.advance(300_001)
  t.match(await socket.ask(''), { code: 'SVC_SEC_PROOF_DUE' }, 'for as long as it says')
  socket.close()
})

t.test('a role that asks for a factor ends the socket of who was given it without one', async (t) => {
  const { alice, browser, port } = await accountApp(t, {
    security: { requireFactor: { ROLE_CHIEF: 'any' }, realtime: { revalidateWindowMs: 0 } },
    modules: [svcJobs],
    controllers: [Vault]
  })
  const user = browser()
  await user.login()
  const headers = { cookie: user.cookie, origin: `http://127.0.0.1:${port}` }
  const socket = await SocketClient.opened(port, '/in/fresh', headers)
  t.same(await socket.ask(''), { passed: true })
  alice.roles = ['ROLE_USER', 'ROLE_CHIEF']
  socket.ws.send('')
  t.match(await socket.closed, { code: 4001 })
  t.equal(await SocketClient.open(port, '/in/fresh', headers), 403)
})

t.test('an area that asks for a factor asks over a socket and for a job, too', async (t) => {
  const world = await opened(t)
  const [weak, strong] = [{ 'x-person': 'alice ROLE_USER 0 pwd' }, { 'x-person': 'alice ROLE_USER 0 pwd,otp' }]
  t.match(await OVER_REALTIME(world, '/strict/plain', weak), due({ factors: ANY }))
  t.same(await OVER_REALTIME(world, '/strict/plain', strong), { passed: true })
  t.match(world.records, [{ action: 'access.denied', actor: 'alice', resource: 'FACTOR(any)' }])
  t.equal(await STATE(world, 'strict', weak), 'parked')
  t.equal(await STATE(world, 'strict', strong), 'done')
})

t.test('a job is measured when it was added, and what it adds as it is', async (t) => {
  const world = await opened(t)
  const { fastify, clock } = world
  t.teardown(() => {
    meanwhile = () => undefined
  })
  meanwhile = () => clock.advance(10_000)
  t.equal(await STATE(world, 'outer', { 'x-person': 'alice ROLE_USER 299 pwd' }), 'done')
  t.equal(await innerState(fastify), 'done', 'proven 309 s before it was added, and 299 s before it was asked for')
})

t.test('a job of a job whose caller was proven too long ago is refused', async (t) => {
  const world = await opened(t)
  t.equal(await STATE(world, 'outer', { 'x-person': 'alice ROLE_USER 301 pwd' }), 'done')
  t.equal(await innerState(world.fastify), 'parked')
})

async function innerState(fastify: FastifyInstance): Promise<string> {
  const job = await until(async () => {
    const { items } = await fastify.jobs.list({})
    return items.find(({ name, endedAt }) => name === 'fresh' && endedAt !== null) ?? false
  }, 'the end of the inner job')
  return job.state
}
