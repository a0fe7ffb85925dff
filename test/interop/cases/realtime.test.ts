/** The cases of the realtime socket: its locks, its methods, and how long its identity holds. */
import { controller, Get } from 'svc-decorators'
import svcRealtime from 'svc-realtime'
import type { SvcSecurityOptions } from 'svc-security'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import { accountApp, KEY_SET } from '../../support/account-app.ts'
import { RpcSocket } from '../../support/rpc-socket.ts'
import { securityCase } from './security-case.ts'

@controller('/in')
class Open {
  @Get('/open', { config: { realtime: true } })
  open(): unknown {
    return { open: true }
  }
}

const areas: NonNullable<SvcSecurityOptions['areas']> = {
  in: { pattern: '^/(?:in|svc/realtime)', authenticators: ['jwt'] }
}
const channels = [
  { pattern: 'open', anonymous: true, publish: true },
  { pattern: 'staff', requires: ['ROLE_EDITOR'] },
  { pattern: 'chiefs', requires: ['ROLE_ADMIN'] }
]

async function realtimeApp(t: Test, security: SvcSecurityOptions = {}) {
  const clock = new ManualClock()
  const app = await accountApp(t, {
    security: { areas, jwt: KEY_SET, ...security },
    parts: { clock },
    modules: [[svcRealtime, { channels }]],
    controllers: [Open]
  })
  const socketOf = async (identifier: string) => {
    const { accessToken, jti } = await app.fastify.tokens.issue({ identifier })
    const socket = await RpcSocket.open(app.port, { authorization: `Bearer ${accessToken}` })
    t.teardown(() => socket.client.close())
    return { socket, accessToken, jti }
  }
  return { ...app, clock, socketOf }
}

securityCase('ROL-12', async (t) => {
  const roleHierarchy = { ROLE_ADMIN: ['ROLE_EDITOR'], ROLE_SVC_ADMIN: ['ROLE_ADMIN'] }
  const { book, socketOf } = await realtimeApp(t, { roleHierarchy })
  const rows = [
    ['ROLE_USER', { staff: false, chiefs: false, 'svc:audit': false }],
    ['ROLE_EDITOR', { staff: true, chiefs: false, 'svc:audit': false }],
    ['ROLE_ADMIN', { staff: true, chiefs: true, 'svc:audit': false }],
    ['ROLE_SVC_ADMIN', { staff: true, chiefs: true, 'svc:audit': true }]
  ] as const
  for (const [role, expected] of rows) {
    await book.add(role.toLowerCase(), null, { roles: [role] })
    const { socket } = await socketOf(role.toLowerCase())
    for (const [channel, granted] of Object.entries(expected)) {
      const { error } = await socket.call('channel.subscribe', { channel })
      t.equal(error?.code, granted ? undefined : -32003, `${role} on ${channel}`)
    }
  }
})

const actions = {
  'api.request': { path: '/in/open' },
  'channel.subscribe': { channel: 'open' },
  'channel.publish': { channel: 'open', data: 1 }
}

securityCase('WSK-14', async (t) => {
  for (const [method, params] of Object.entries(actions)) {
    const { clock, socketOf } = await realtimeApp(t)
    const { socket } = await socketOf('alice')
    t.ok((await socket.call(method, params)).result, method)
    clock.advance(900_000)
    t.match(await socket.client.closed, { code: 4001 }, 'closed at its expiry, without a message')
  }
})

securityCase('WSK-15', async (t) => {
  for (const [method, params] of Object.entries(actions)) {
    for (const way of ['jti', 'subject'] as const) {
      const { fastify, clock, socketOf } = await realtimeApp(t)
      const { socket, accessToken } = await socketOf('alice')
      t.ok((await socket.call(method, params)).result, method)
      if (way === 'jti') await fastify.tokens.revoke(accessToken)
      else await fastify.tokens.revokeSubject('alice')
      clock.advance(250)
      const answer = await socket.call(method, params).catch(() => 'closed')
      if (answer !== 'closed') t.match(answer, { error: { code: -32001 } }, `${method}, ${way}`)
      t.match(await socket.client.closed, { code: 4001 }, `${method}, ${way}`)
    }
  }
})

securityCase('WSK-21', async (t) => {
  const { socketOf } = await realtimeApp(t)
  const { socket } = await socketOf('alice')
  for (const method of ['nothing', '__proto__', 'constructor', 'hasOwnProperty', 'api.request.constructor', '']) {
    t.match(await socket.call(method, { path: '/in/open' }), { error: { code: -32601 } }, method)
  }
  for (const method of ['__proto__', 'constructor', 'get']) {
    const { error } = await socket.call('api.request', { path: '/in/open', method, idempotencyKey: 'k' })
    t.equal(error?.code, -32602, method)
  }
  t.match(await socket.call('api.request', { path: '/in/open' }), { result: { status: 200 } })
})

securityCase('WSK-24', async (t) => {
  const two: SvcSecurityOptions['areas'] = {
    first: { pattern: '^/svc/realtime', authenticators: ['jwt'] },
    second: { pattern: '^/svc', authenticators: ['session'] },
    silent: { pattern: '^/in', authenticators: ['jwt'], realtime: false }
  }
  const { fastify, socketOf } = await realtimeApp(t, { areas: two })
  const { zones } = fastify.firewall
  const watchers = zones.map((zone) => fastify.firewall.realtimeOf(zone))
  t.equal(new Set(watchers).size, zones.length)
  t.equal(fastify.firewall.zoneOf('/svc/realtime')?.name, 'first', 'the one declared first holds the socket')
  const { socket, accessToken } = await socketOf('alice')
  t.ok((await socket.call('channel.subscribe', { channel: 'open' })).result)
  await fastify.tokens.revoke(accessToken)
  t.match(await socket.client.closed, { code: 4001 }, 'and it is watched as that zone proves')
})
