/** Sockets of an authenticator without `liveness`, in an application with accounts: the subject is looked up among the users. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fastifyWebsocket from '@fastify/websocket'
import type { FastifyRequest } from 'fastify'
import { createAccessToken } from 'svc-kernel'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import type { Authenticator } from '../../src/index.ts'
import { logLines, WARN } from '../support/log-lines.ts'
import { loginApp } from '../support/login-app.ts'

const WINDOW_MS = 1000

/** Who comes is whom the header names. */
const badge: Authenticator = {
  carrier: 'header',
  supports: () => true,
  createToken: ({ headers }) => headers['x-badge'],
  authenticate: (identifier) => createAccessToken({ type: 'badge', user: { identifier: String(identifier) } })
}

async function socketsOf(t: Test, names: readonly string[]) {
  const { lines, logger } = logLines('warn')
  const areas = { ws: { pattern: '^/ws', authenticators: ['badge', 'anonymous'] } }
  const made = await loginApp(
    { areas, apiKeys: {}, realtime: { revalidateWindowMs: WINDOW_MS } },
    { authenticators: { badge } },
    { logger }
  )
  const { app, clock } = made
  const requests: FastifyRequest[] = []
  await app.register(fastifyWebsocket)
  await app.register(async (scope) => {
    scope.get('/ws', { websocket: true }, (_socket, request) => void requests.push(request))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const sockets: WebSocket[] = []
  t.teardown(async () => {
    for (const socket of sockets) socket.terminate()
    await app.close()
  })
  for (const name of names) {
    const url = `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/ws`
    const socket = new WebSocket(url, { headers: { 'x-badge': name } })
    sockets.push(socket)
    await once(socket, 'open')
  }
  const warned = () => lines.filter(({ code }) => code === 'SVC_SEC_SUBJECT_UNKNOWN')
  return { ...made, requests, warned, later: () => clock.advance(WINDOW_MS) }
}

t.test('a subject that is no user of the application is over, and the log says so once', async (t) => {
  const { requests, warned } = await socketsOf(t, ['stranger', 'another', 'alice'])
  const verdicts = []
  for (const { liveIdentity } of requests) verdicts.push(await liveIdentity?.holds())
  t.same(verdicts, [false, false, true])
  t.equal(warned().length, 1)
  t.match(warned()[0], { level: WARN, at: 'authenticator badge', fix: /liveness/ })
})

t.test('what is revoked for the subject ends its socket; another user goes on', async (t) => {
  const { app, accounts, requests, warned, later } = await socketsOf(t, ['alice', 'root'])
  accounts.add({ identifier: 'root', roles: [] })
  for (const { liveIdentity } of requests) t.equal(await liveIdentity?.holds(), true)
  await app.tokens.revokeSubject('alice')
  later()
  const verdicts = []
  for (const { liveIdentity } of requests) verdicts.push(await liveIdentity?.holds())
  t.same(verdicts, [false, true])
  t.equal(warned().length, 0)
})
