/** Open WebSockets end with what opened them: no message is needed, and no time has to pass. */
import svcRealtime from 'svc-realtime'
import t from 'tap'
import { API, accountApp, KEY_SET, PASSWORD } from '../support/account-app.ts'
import { RpcSocket } from '../support/rpc-socket.ts'

t.test('X4: ending everything of a user closes the sockets of a session, a token and a key', async (t) => {
  const { fastify, browser, port, book } = await accountApp(t, {
    security: {
      areas: { live: { pattern: '^/(?:in|svc/realtime)', authenticators: ['session', 'jwt', 'apikey'] } },
      jwt: KEY_SET
    },
    modules: [[svcRealtime, { channels: [{ pattern: '*', anonymous: true }] }]]
  })
  await book.add('bob')
  const open = async (headers: Record<string, string>) => {
    const socket = await RpcSocket.open(port, headers)
    t.teardown(() => socket.client.close())
    await socket.next()
    return socket
  }
  const socketsOf = async (identifier: string) => {
    const person = browser()
    await person.login(identifier)
    const { accessToken } = await fastify.tokens.issue({ identifier })
    const { token: key } = await fastify.tokens.apiKeys.create(identifier, { name: 'ci' })
    return [
      await open({ cookie: person.cookie, origin: `http://127.0.0.1:${port}` }),
      await open({ authorization: `Bearer ${accessToken}` }),
      await open({ authorization: `Bearer ${key}` })
    ]
  }
  const [hers, his] = [await socketsOf('alice'), await socketsOf('bob')]
  await fastify.userAccounts.endEverything('alice')
  for (const { client } of hers) t.match(await client.closed, { code: 4001 })
  for (const socket of his) t.match(await socket.call('channel.subscribe', { channel: 'news' }), { result: {} })
})

t.test('a confirmation ends the cookie of before and no socket that it opened', async (t) => {
  const { browser, port } = await accountApp(t, {
    security: {
      areas: { live: { pattern: '^/(?:in|svc/realtime)', authenticators: ['session'] } },
      realtime: { revalidateWindowMs: 0 }
    },
    modules: [[svcRealtime, { channels: [{ pattern: '*', anonymous: true }] }]]
  })
  const person = browser()
  await person.login('alice')
  const before = person.cookie
  const headers = (cookie: string) => ({ cookie, origin: `http://127.0.0.1:${port}` })
  const socket = await RpcSocket.open(port, headers(before))
  t.teardown(() => socket.client.close())
  await socket.next()
  const confirmed = await person.post(`${API}/auth/confirm`, { password: PASSWORD }, await person.csrf())
  t.equal(confirmed.status, 200)
  t.not(person.cookie, before)
  t.match(await socket.call('channel.subscribe', { channel: 'news' }), { result: {} })
  await t.rejects(RpcSocket.open(port, headers(before)), 'no new one by the cookie of before')
  const next = await RpcSocket.open(port, headers(person.cookie))
  t.teardown(() => next.client.close())
  t.match(await next.next(), {})
})
