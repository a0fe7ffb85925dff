/** Without accounts, the socket of a proof that says nothing of its end has one: the zone says when. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fastifyWebsocket from '@fastify/websocket'
import type { FastifyRequest } from 'fastify'
import { createAccessToken } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import type { Area, Authenticator } from '../../src/index.ts'
import { routeSecurity, securedApp } from '../support/guarded-app.ts'
import { logLines, WARN } from '../support/log-lines.ts'

async function opened(t: Test, area: Partial<Area> = {}, attributes: object = {}) {
  const clock = new ManualClock()
  const badge: Authenticator = {
    carrier: 'header',
    supports: () => true,
    createToken: () => null,
    authenticate: () => createAccessToken({ type: 'badge', user: { identifier: 'ada' }, ...attributes })
  }
  const areas = { ws: { pattern: '^/ws', authenticators: ['badge'], ...area } }
  const app = await securedApp({ areas, parts: { clock, authenticators: { badge } } })
  await app.register(fastifyWebsocket)
  const requests: FastifyRequest[] = []
  let ends = 0
  await app.register(async (scope) => {
    scope.get('/ws', { websocket: true }, (_socket, request) => {
      requests.push(request)
      request.liveIdentity?.whenOver(() => (ends += 1))
    })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = new WebSocket(`ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/ws`)
  await once(socket, 'open')
  t.teardown(async () => {
    socket.terminate()
    await app.close()
  })
  const holds = () => requests[0]?.liveIdentity?.holds()
  return { clock, holds, ends: () => ends }
}

const HOUR_MS = 3_600_000

const rows: ReadonlyArray<[title: string, area: Partial<Area>, attributes: object, endsAfterMs: number | null]> = [
  ['a minute after its handshake', {}, {}, 60_000],
  ['when its zone says', { uncheckedSocketS: 5 }, {}, 5000],
  ['with its token, where that says when', {}, { expiresAt: new ManualClock().now() + 120_000 }, 120_000],
  ['not at all, where its zone says so', { uncheckedSocketS: 0 }, {}, null]
]

for (const [title, area, attributes, endsAfterMs] of rows) {
  t.test(`C24: without accounts a socket that nobody can check again ends ${title}`, async (t) => {
    const { clock, holds, ends } = await opened(t, area, attributes)
    t.equal(await holds(), true)
    clock.advance((endsAfterMs ?? HOUR_MS) - 1)
    t.equal(await holds(), true)
    clock.advance(1)
    t.equal(await holds(), endsAfterMs === null)
    t.equal(ends(), endsAfterMs === null ? 0 : 1)
  })
}

/** Proves ada; two of them, of which one can be asked again. */
const proving = (more: Partial<Authenticator> = {}): Authenticator => ({
  carrier: 'header',
  supports: () => true,
  createToken: () => null,
  authenticate: () => createAccessToken({ type: 'badge', user: { identifier: 'ada' } }),
  ...more
})
const authenticators = {
  badge: proving(),
  asked: proving({ liveness: () => ({ endsAt: () => null, check: () => true }) })
}

const socket = { websocket: true } as const
const zone = (pattern: string, ...names: string[]): Area => ({ pattern, authenticators: names })
const warnings: ReadonlyArray<
  readonly [title: string, areas: Record<string, Area>, route: object, expected: ReadonlyArray<RegExp>, users?: object]
> = [
  [
    'the authenticator of its zone',
    { ws: zone('^/ws', 'badge', 'asked', 'anonymous') },
    socket,
    [/"badge".*after 60 s/]
  ],
  [
    'with what its zone says',
    { ws: { ...zone('^/ws', 'badge'), uncheckedSocketS: 0 } },
    socket,
    [/"badge" authenticated keeps its identity until it closes/]
  ],
  ['not of a zone without sockets', { ws: zone('^/ws', 'asked'), api: zone('^/api', 'badge') }, socket, []],
  ['not where the zone gives sockets no identity', { ws: { ...zone('^/ws', 'badge'), realtime: false } }, socket, []],
  ['not for a route over HTTP', { ws: zone('^/ws', 'badge') }, {}, []],
  [
    'not for a route without a caller',
    { ws: zone('^/ws', 'badge') },
    { ...socket, config: { svc: routeSecurity({ anonymous: true }) } },
    []
  ],
  [
    'not for a route past the firewall',
    { ws: zone('^/ws', 'badge') },
    { ...socket, config: { svc: routeSecurity({ bypassFirewall: true }) } },
    []
  ],
  ['not where there are users to ask', { ws: zone('^/ws', 'badge') }, socket, [], { findByIdentifier: () => null }]
]

for (const [title, areas, route, expected, users] of warnings) {
  t.test(`C24: the boot warns of sockets that cannot be checked again: ${title}`, async (t) => {
    const { lines, logger } = logLines()
    const app = await securedApp(
      { areas, parts: { authenticators, ...(users === undefined ? {} : { users: users as never }) } },
      { logger }
    )
    t.teardown(() => app.close())
    await app.register(fastifyWebsocket)
    await app.register(async (scope) => {
      for (const url of ['/ws', '/ws/other']) scope.get(url, route, () => undefined)
    })
    await app.ready()
    const warned = lines.filter(({ code }) => code === 'SVC_SEC_NO_LIVENESS')
    t.equal(warned.length, expected.length)
    for (const [index, text] of expected.entries())
      t.match(warned[index], { level: WARN, msg: text, at: 'authenticator badge', fix: /areas\.ws\.uncheckedSocketS/ })
  })
}
