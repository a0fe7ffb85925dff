/** Channels of one user: the user's sockets hear them, in every instance, and no one else’s. */
import t from 'tap'
import { isOwnChannel, ownChannel, owns } from '../../src/channels/own-channel.ts'
import { ADMIN, ALICE, realtimeApp } from '../support/realtime-app.ts'
import { RpcClient } from '../support/rpc-client.ts'

const user = (identifier: string) => ({ identifier, roles: [] })

t.test('the name has the user, encoded', async (t) => {
  const rows = [
    ['alice', 'svc:own:alice:jobs'],
    ['ada@x.io', 'svc:own:ada%40x.io:jobs'],
    ['a:b', 'svc:own:a%3Ab:jobs'],
    ['Ada *', 'svc:own:Ada%20%2A:jobs'],
    ['\ud800', null]
  ] as const
  for (const [identifier, channel] of rows) {
    t.equal(ownChannel(identifier, 'jobs'), channel)
    if (channel === null) continue
    t.ok(isOwnChannel(channel))
    for (const [other] of rows) t.equal(owns(user(other), channel), other === identifier, `${other} and ${channel}`)
  }
  t.notOk(owns(null, 'svc:own:alice:jobs'))
  t.notOk(owns(user('ali'), 'svc:own:alice:jobs'))
  t.notOk(owns(user(''), 'svc:own:alice:jobs'))
})

t.test('only the user listens, whatever the locks say, and no client publishes', async (t) => {
  const channels = [{ pattern: '*', anonymous: true, publish: true }]
  const { fastify } = await realtimeApp(t, { options: { channels } })
  const channel = 'svc:own:alice:jobs'
  const alice = await RpcClient.open(fastify, ALICE)
  t.match(await alice.call('channel.subscribe', { channel }), { result: { channel } })
  t.match(await alice.call('channel.publish', { channel, data: 1 }), { error: { code: -32003 } })
  for (const headers of [ADMIN, { 'x-user': 'ali/ROLE_SVC_ADMIN' }, { 'x-user': 'anonymous/ROLE_USER' }, {}]) {
    const other = await RpcClient.open(fastify, headers)
    t.match(await other.call('channel.subscribe', { channel }), { error: { code: -32003 } })
  }
  fastify.realtime.publishTo('root', 'jobs', { of: 'root' })
  fastify.realtime.publishTo('x'.repeat(300), 'jobs', {})
  fastify.realtime.publishTo('alice', 'jobs', { of: 'alice' })
  t.match(await alice.notification('channel.message'), { channel, data: { of: 'alice' } })
})
