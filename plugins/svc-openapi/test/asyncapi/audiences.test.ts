/** Which sockets an audience reads of: what it may call, and no name, schema or proof of what others may. */
import type { RouteOptions } from 'fastify'
import t from 'tap'
import { asyncApiDocument } from '../../src/asyncapi/async-api-document.ts'
import type { WholeDocument } from '../../src/document/document.ts'
import { type Selection, selectDocument } from '../../src/document/selection.ts'
import { answersSockets } from '../../src/document/socket-route.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const route = (path: string, more: object = {}) => ({ path, name: path.slice(1), guard: null, security: [], ...more })
const channel = (address: string, socket: string, guard: string | null) => ({
  address,
  socket,
  guard,
  frames: { said: { from: 'server' as const, schema: ref(`Of-${address}`) } }
})
const proof = { type: 'http', scheme: 'bearer' }

const WHOLE: WholeDocument = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  components: {
    schemas: { Error: {}, Lot: {}, Order: {}, 'Of-news': {}, 'Of-desk': {} },
    securitySchemes: { session: proof, desk: proof }
  },
  'x-websocket-routes': [
    route('/lots', {
      tags: ['lots'],
      security: [{ session: [] }],
      message: { contentType: 'a/b', schema: ref('Lot') }
    }),
    route('/orders', {
      guard: 'ROLE_SVC_ADMIN & orders:read',
      security: [{ desk: [] }],
      message: { contentType: 'a/b', schema: ref('Order') }
    }),
    route('/live')
  ],
  'x-channels': [channel('news', '/live', 'ROLE_USER'), channel('desk', '/live', 'ROLE_SVC_ADMIN')],
  webhooks: { sold: { post: {} } }
}

const SCHEMAS: Readonly<Record<string, string>> = { lots: 'Lot', orders: 'Order', news: 'Of-news', desk: 'Of-desk' }

const AUDIENCES: readonly (readonly [what: string, selection: Selection, channels: string[], proofs: string[]])[] = [
  ['everyone', { administration: 'none' }, ['lots', 'live', 'news'], ['session']],
  ['administrators', { administration: 'only' }, ['orders', 'desk'], ['desk']],
  ['all in one', { administration: 'all' }, ['lots', 'orders', 'live', 'news', 'desk'], ['desk', 'session']],
  ['a tag', { include: ['lots'], administration: 'all' }, ['lots'], ['session']],
  ['a path, with its channels', { include: ['/live'], administration: 'none' }, ['live', 'news'], []],
  ['what is not excluded', { exclude: ['/live', 'lots'], administration: 'included' }, [], []]
]

for (const [what, selection, channels, proofs] of AUDIENCES) {
  t.test(what, async (t) => {
    const described = asyncApiDocument(selectDocument(WHOLE, selection))
    t.strictSame(Object.keys(described.channels), [...channels, 'webhooks'])
    const operations = Object.values(described.operations).map(
      (each) => (each as { channel: { $ref: string } }).channel
    )
    t.strictSame(
      operations.map(({ $ref }) => $ref.slice('#/channels/'.length)),
      [...channels, 'webhooks'],
      'operations'
    )
    t.strictSame(Object.keys(described.components.securitySchemes ?? {}), proofs)
    const routes = channels.filter((name) => name === 'lots' || name === 'orders')
    const schemas = [...(routes.length > 0 ? ['Error'] : []), ...channels.flatMap((name) => SCHEMAS[name] ?? [])]
    t.strictSame(Object.keys(described.components.schemas ?? {}), schemas.sort(), 'schemas')
  })
}

t.test('routes that answer sockets, and are not hidden', async (t) => {
  const cases: readonly (readonly [what: string, transports: readonly string[], more: object, expected: boolean])[] = [
    ['a socket alone', ['WEBSOCKET'], {}, true],
    ['both transports', ['HTTP', 'WEBSOCKET'], {}, true],
    ['HTTP alone', ['HTTP'], {}, false],
    ['the HEAD route beside one of both', ['HTTP', 'WEBSOCKET'], { method: 'HEAD' }, false],
    ['both, hidden', ['HTTP', 'WEBSOCKET'], { schema: { hide: true } }, false],
    ['a socket alone, whose plain answer is hidden', ['WEBSOCKET'], { schema: { hide: true } }, true]
  ]
  for (const [what, transports, more, expected] of cases) {
    const given = { method: 'GET', url: '/live', config: { svc: { transports } }, ...more } as unknown as RouteOptions
    t.equal(answersSockets(given), expected, what)
  }
  t.notOk(answersSockets({ method: 'GET', url: '/plain' } as RouteOptions), 'a route that says nothing')
})
