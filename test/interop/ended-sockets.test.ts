/** Open WebSockets end with what opened them: no message is needed, and no time has to pass. */
import svcRealtime from 'svc-realtime'
import t from 'tap'
import { accountApp, KEY_SET } from '../support/account-app.ts'
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
