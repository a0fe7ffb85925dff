/** Logins at the same time, and clients that do not wait for their answer: what the throttle makes of them over HTTP. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import svcSecurity from '../../src/index.ts'
import { ALICE_PASSWORD, CHEAP, someAccounts } from '../support/accounts.ts'
import { echoRoute } from '../support/guarded-app.ts'
import { logLines } from '../support/log-lines.ts'
import { API, loginApp } from '../support/login-app.ts'

const areas = { in: { pattern: '^/in', authenticators: ['userpassword'] } }
const basic = (password: string) => `Basic ${Buffer.from(`alice:${password}`).toString('base64')}`

const ways: Record<string, (app: FastifyInstance, password: string) => Promise<{ statusCode: number }>> = {
  'the login route': (app, password) =>
    app.inject({ method: 'POST', url: `${API}/auth/login`, payload: { username: 'alice', password } }),
  Basic: (app, password) => app.inject({ url: '/in/echo', headers: { authorization: basic(password) } })
}

for (const [way, ask] of Object.entries(ways)) {
  t.test(`R6: ${way}: ten right passwords at once all pass`, async (t) => {
    const { app } = await loginApp({ areas })
    t.teardown(() => app.close())
    echoRoute(app, '/in/echo')
    for (const round of ['from a network never seen', 'from one that is known']) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(app, ALICE_PASSWORD)))
      t.strictSame(
        answers.map(({ statusCode }) => statusCode),
        Array(10).fill(200),
        round
      )
    }
  })

  t.test(`R6: ${way}: of fifty guesses at once four are looked at`, async (t) => {
    const { app, accounts } = await loginApp({ areas })
    t.teardown(() => app.close())
    echoRoute(app, '/in/echo')
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => ask(app, `guess ${n}`)))
    t.equal(answers.filter(({ statusCode }) => statusCode === 401).length, 4)
    t.equal(answers.filter(({ statusCode }) => statusCode === 429).length, 46)
    t.equal(accounts.lookups, 4)
  })
}

t.test('R9: clients that reset before their login is looked at leave no errors behind', async (t) => {
  // At a level at which nothing reads the address while the client is there.
  const { lines, logger } = logLines('warn')
  const app = Fastify({ logger })
  t.teardown(() => app.close())
  let gone = 0
  // Whatever makes a request wait: here, until its client is gone.
  app.addHook('onRequest', async ({ raw: { socket } }) => {
    if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve))
    gone += 1
  })
  await app.register(svcSecurity, { areas, passwords: CHEAP, parts: { users: await someAccounts() } })
  echoRoute(app, '/in/echo')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const body = JSON.stringify({ username: 'alice', password: 'wrong' })
  const login = `POST ${API}/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const echo = `GET /in/echo HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic('wrong')}\r\n\r\n`
  for (const request of [login, echo]) {
    for (let client = 0; client < 10; client += 1) await askAndReset(app, request)
  }
  for (let turn = 0; turn < 3000 && gone < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10))
  await app.close()
  t.equal(gone, 20)
  t.strictSame(
    lines.filter(({ level }) => Number(level) >= 50),
    [],
    'no error'
  )
  t.notMatch(JSON.stringify(lines), /TypeError/)
})

/** Sends a request and resets the connection as soon as the server has begun with it. */
async function askAndReset(app: FastifyInstance, request: string): Promise<void> {
  const begun = once(app.server, 'request')
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(request)
  await begun
  socket.resetAndDestroy()
}
