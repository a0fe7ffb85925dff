/** WSK-14, WSK-15: an open socket ends with the token or the key that opened it. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fastifyWebsocket from '@fastify/websocket'
import type { FastifyRequest } from 'fastify'
import type { LiveIdentity } from 'svc-kernel/plugin'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { loginApp } from '../../support/login-app.ts'
import { keySetJson } from '../../support/token-app.ts'

const WINDOW_MS = 1000

async function opened(t: Test, credential: 'jwt' | 'apikey') {
  const made = await loginApp({
    areas: { ws: { pattern: '^/ws', authenticators: ['jwt', 'apikey'] } },
    jwt: { accessTtlS: 60, keySetJson },
    realtime: { revalidateWindowMs: WINDOW_MS }
  })
  const { app, clock } = made
  const requests: FastifyRequest[] = []
  await app.register(fastifyWebsocket)
  await app.register(async (scope) => {
    scope.get('/ws', { websocket: true }, (_socket, request) => void requests.push(request))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const bearer =
    credential === 'jwt'
      ? (await app.tokens.issue({ identifier: 'alice' })).accessToken
      : (await app.tokens.apiKeys.create('alice', { name: 'k', expiresInDays: 1 })).token
  const { port } = app.server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { authorization: `Bearer ${bearer}` } })
  await once(socket, 'open')
  t.teardown(async () => {
    socket.terminate()
    await app.close()
  })
  const identity = requests[0]?.liveIdentity as LiveIdentity
  return { ...made, bearer, identity, later: () => clock.advance(WINDOW_MS) }
}

for (const credential of ['jwt', 'apikey'] as const) {
  t.test(`${credential}: holds, until it is revoked`, async (t) => {
    const { app, bearer, identity, later } = await opened(t, credential)
    t.equal(await identity.holds(), true)
    await app.tokens.revoke(bearer)
    later()
    t.equal(await identity.holds(), false)
  })

  t.test(`${credential}: revoked in this process, it is over at once`, async (t) => {
    const { app, bearer, identity } = await opened(t, credential)
    let over = 0
    identity.whenOver(() => {
      over += 1
    })
    await app.tokens.revoke(bearer)
    t.equal(over, 1)
    t.equal(await identity.holds(), false)
  })

  t.test(`${credential}: cut off with its subject`, async (t) => {
    const { app, identity, later } = await opened(t, credential)
    later()
    await app.tokens.revokeSubject('alice')
    t.equal(await identity.holds(), false)
  })

  t.test(`${credential}: of a user who is locked`, async (t) => {
    const { accounts, identity, later } = await opened(t, credential)
    accounts.get('alice').locked = true
    later()
    t.equal(await identity.holds(), false)
  })

  t.test(`${credential}: over when its time is, without any message`, async (t) => {
    const { clock, identity } = await opened(t, credential)
    const over = new Promise<void>((resolve) => identity.whenOver(resolve))
    clock.advance(credential === 'jwt' ? 60_000 : 86_400_000)
    await over
    t.equal(await identity.holds(), false)
  })

  t.test(`${credential}: what cannot be read lets nothing through`, async (t) => {
    const { accounts, identity, later } = await opened(t, credential)
    accounts.failure = new Error('directory is down')
    later()
    t.strictSame([await identity.holds(), identity.unavailable], [false, true])
    accounts.failure = null
    later()
    t.equal(await identity.holds(), true)
  })
}
