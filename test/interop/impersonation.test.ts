/**
 * Acting as another user across plugins: a table of requests, sockets and jobs for both kinds of impersonation; the journal and
 * the log name both; sockets end with it.
 */
import Fastify, { type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcDecorators, { Ctx, controller, Get, Job, type JobContext, Post } from 'svc-decorators'
import svcJobs from 'svc-jobs'
import type { AuditEvent } from 'svc-kernel'
import svcRealtime from 'svc-realtime'
import svcSecurity from 'svc-security'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { AccountBook, API, Browser, CHEAP } from '../support/account-app.ts'
import { RpcSocket } from '../support/rpc-socket.ts'
import { until } from '../support/until.ts'

const ran: string[] = []

@controller('/in')
class Notes {
  readonly #app: FastifyInstance

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  @Get('/read')
  read(@Ctx() { request }: JobContext): string {
    request.log.info('the note was read')
    this.#app.audit.record({
      category: 'authz',
      action: 'data.viewed',
      outcome: 'success',
      actor: request.user?.identifier ?? null
    })
    return 'a note'
  }

  @Get('/later')
  later(): unknown {
    return this.#app.jobs.add('noted')
  }

  @Post('/write')
  write(): unknown {
    return this.#app.jobs.add('noted')
  }

  @Job('noted')
  noted(@Ctx() { request }: JobContext): void {
    const { token } = request
    ran.push(`${token?.user.identifier} by ${String(token?.originalUser)}`)
    this.#app.audit.record({
      category: 'authz',
      action: 'data.viewed',
      outcome: 'success',
      actor: token?.user.identifier ?? null
    })
  }
}

async function opened(t: Test) {
  ran.length = 0
  const [book, clock] = [new AccountBook(), new ManualClock()]
  await book.add('helper', undefined, { roles: ['ROLE_SUPPORT', 'ROLE_REPAIR'] })
  await book.add('bob')
  const lines: Record<string, unknown>[] = []
  const fastify = Fastify({ logger: { stream: { write: (line: string) => void lines.push(JSON.parse(line)) } } })
  t.teardown(() => fastify.close())
  await fastify.register(svcAudit)
  await fastify.register(svcSecurity, {
    areas: { in: { pattern: '^/(?:in|svc/realtime)', authenticators: ['session'] } },
    passwords: CHEAP,
    impersonation: { role: 'ROLE_SUPPORT', writeRole: 'ROLE_REPAIR' },
    parts: { users: book, clock }
  })
  await fastify.register(svcJobs)
  await fastify.register(svcRealtime, { channels: [{ pattern: '*', anonymous: true }] })
  await fastify.register(svcDecorators, { controllers: [Notes] })
  const address = await fastify.listen({ port: 0, host: '127.0.0.1' })
  const port = Number(new URL(address).port)
  const events: AuditEvent[] = []
  fastify.audit.subscribe((event) => void events.push(event))
  const browser = new Browser(port)
  await browser.login('helper')
  const socket = () => RpcSocket.open(port, { cookie: browser.cookie, origin: `http://127.0.0.1:${port}` })
  const begin = async (write: boolean) => {
    const body = { user: 'bob', reason: 'ticket 7', write }
    const answer = await browser.post(`${API}/impersonation`, body, await browser.csrf())
    t.equal(answer.status, 200, answer.body)
  }
  const end = async () => browser.call('DELETE', `${API}/impersonation`, await browser.csrf())
  const post = async (path: string) => browser.post(path, {}, await browser.csrf())
  return { fastify, book, clock, lines, events, browser, socket, begin, end, post }
}

const codeOf = ({ status, body }: { status: number; body: string }) =>
  status < 400 ? null : (JSON.parse(body) as { code: string }).code

t.test('read-only: requests that change, sockets and jobs are refused with a code', async (t) => {
  const { begin, browser, post, socket, events, lines, end } = await opened(t)
  await begin(false)
  t.equal(codeOf(await browser.call('GET', '/in/read')), null)
  t.equal(codeOf(await post('/in/write')), 'SVC_SEC_READ_ONLY')
  t.equal(codeOf(await browser.call('GET', '/in/later')), 'SVC_SEC_READ_ONLY', 'a job that a read would add')
  await t.rejects(socket(), /403/)
  t.match(
    events.find(({ action }) => action === 'data.viewed'),
    { actor: 'bob', metadata: { originalUser: 'helper' } }
  )
  t.match(
    lines.find(({ msg }) => msg === 'the note was read'),
    { user: 'bob', originalUser: 'helper' }
  )
  await end()
  await browser.call('GET', '/in/read')
  const own = events.findLast(({ action }) => action === 'data.viewed')
  t.match(own, { actor: 'helper' })
  t.notOk('originalUser' in (own?.metadata ?? {}), 'of oneself there is one name')
  t.strictSame(ran, [])
})

t.test('with changes: jobs run as the user, and name both', async (t) => {
  const { begin, post, events } = await opened(t)
  await begin(true)
  t.equal(codeOf(await post('/in/write')), null)
  await until(() => ran.length === 1, 'the run of the job')
  t.strictSame(ran, ['bob by helper'])
  const event = events.findLast(({ action, actor }) => action === 'data.viewed' && actor === 'bob')
  t.match(event, { metadata: { originalUser: 'helper' } })
})

t.test('a socket ends with the impersonation, with who acts, and at its beginning', async (t) => {
  const endings: Readonly<Record<string, (made: Awaited<ReturnType<typeof opened>>) => unknown>> = {
    'it is ended': ({ end }) => end(),
    'who acts logs out': ({ browser }) => browser.post(`${API}/auth/logout`, {}),
    'who acts is locked': ({ fastify, book }) => {
      const helper = book.accounts.get('helper')
      if (helper !== undefined) helper.locked = true
      return fastify.userAccounts.endEverything('helper')
    }
  }
  for (const [title, ending] of Object.entries(endings)) {
    const made = await opened(t)
    const before = await made.socket()
    await made.begin(true)
    t.match(await before.client.closed, { code: 4001 }, 'the socket of before')
    const { client } = await made.socket()
    await ending(made)
    t.match(await client.closed, { code: 4001 }, title)
  }
})

t.test('a socket ends with the time, before its next message is answered', async (t) => {
  const { begin, socket, clock } = await opened(t)
  await begin(true)
  const open = await socket()
  await open.next()
  clock.advance(15 * 60_000)
  open.client.ws.send(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'channel.subscribe', params: { channel: 'news' } })
  )
  t.match(await open.client.closed, { code: 4001 })
})
