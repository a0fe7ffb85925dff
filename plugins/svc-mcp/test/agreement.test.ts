/**
 * Random pairs of route and identity: a tool and a frame answer with the status of the request over HTTP, and the tool is
 * listed exactly where a call passes. The expectation is the answer of HTTP to another token of the same person.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { Anonymous, controller, Get, IsGranted, Post, RequireScope } from 'svc-decorators'
import svcRealtime from 'svc-realtime'
import t from 'tap'
import { AREAS, AUDIENCE, notesApp } from './support/notes-app.ts'

const ROLES = ['ROLE_USER', 'ROLE_EDITOR', 'ROLE_NONE']
const SCOPES = ['notes:read', 'notes:write']
const USERS = ['ann', 'ed', 'nobody']

/** `api.request` of one socket, by method and path: the status that its frame has. */
type Ask = (method: string, path: string) => Promise<number>

interface Socket extends NodeJS.EventEmitter {
  send(text: string): void
}

interface Sockets {
  injectWS(path: string, upgrade: { headers: Readonly<Record<string, string>> }): Promise<Socket>
}

async function socketOf(app: FastifyInstance, token: string): Promise<Ask> {
  const { injectWS } = app as unknown as Sockets
  const socket = await injectWS('/svc/realtime', { headers: { authorization: `Bearer ${token}` } })
  return async (method, path) => {
    const id = randomUUID()
    const idempotencyKey = method === 'GET' ? {} : { idempotencyKey: id }
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id, method: 'api.request', params: { path, method, ...idempotencyKey } })
    )
    for (;;) {
      const [text] = await once(socket, 'message')
      const frame = JSON.parse(String(text))
      if (frame.id === id) return frame.result?.status ?? frame.error?.data?.status
    }
  }
}

/** Every combination of guards, as the methods of one controller. */
class Guarded {}
const guards = [
  ...ROLES.map((role) => [IsGranted(role)]),
  ...SCOPES.map((scope) => [RequireScope(scope)]),
  ...ROLES.flatMap((role) => SCOPES.map((scope) => [IsGranted(role), RequireScope(scope)])),
  [IsGranted(['ROLE_EDITOR', 'notes:read'])],
  [IsGranted('ROLE_USER'), IsGranted('ROLE_EDITOR')],
  [Anonymous()],
  []
]
const routes = guards.flatMap((decorators, index) =>
  [Get, Post].map((method) => {
    const name = `route_${index}_${method.name}`
    Object.defineProperty(Guarded.prototype, name, { value: () => ({ ok: true }), writable: true, configurable: true })
    const descriptor = Object.getOwnPropertyDescriptor(Guarded.prototype, name) as PropertyDescriptor
    const declare = method(`/${name}`, {
      tool: { name, description: 'A route.' },
      config: { realtime: true }
    }) as unknown as MethodDecorator
    for (const decorate of [...decorators, declare]) (decorate as MethodDecorator)(Guarded.prototype, name, descriptor)
    return { name, method: method.name.toUpperCase() }
  })
)
controller('/api/guarded')(Guarded)

t.test('300 pairs', async (t) => {
  const { app, url, tokenOf, clientOf } = await notesApp(t, {
    controllers: [Guarded],
    areas: { ...AREAS, socket: { pattern: '^/svc/realtime', authenticators: ['jwt'] } },
    plugins: [[svcRealtime, {}]]
  })
  const sockets = new Map<string, Promise<Ask>>()
  const listed = new Map<string, Promise<ReadonlySet<string>>>()
  const namesOf = async (token: string) => {
    const client = await clientOf(token, { modern: true })
    return new Set((await client.listTools()).tools.map(({ name }) => name))
  }
  const pair = fc.record({
    route: fc.constantFrom(...routes),
    user: fc.constantFrom(...USERS),
    scopes: fc.subarray(SCOPES)
  })
  await fc.assert(
    fc.asyncProperty(pair, async ({ route: { name, method }, user, scopes }) => {
      const token = await tokenOf(user, scopes, AUDIENCE)
      const plain = await tokenOf(user, scopes, null)
      const direct = await app.inject({
        method: method as 'GET',
        url: `/api/guarded/${name}`,
        headers: { authorization: `Bearer ${plain}` }
      })
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }
      const answer = await app.inject({
        method: 'POST',
        url: '/mcp',
        headers: {
          host: url.host,
          authorization: `Bearer ${token}`,
          accept: 'application/json, text/event-stream'
        },
        payload: call
      })
      const status = answer.statusCode === 200 ? answer.json().result._meta['svc/status'] : answer.statusCode
      const who = `${user} ${scopes.join()}`
      const names = listed.get(who) ?? namesOf(token)
      listed.set(who, names)
      const ask = sockets.get(who) ?? socketOf(app, plain)
      sockets.set(who, ask)
      const frame = await (await ask)(method, `/api/guarded/${name}`)
      if (frame !== direct.statusCode) throw new Error(`frame ${frame}, HTTP ${direct.statusCode}`)
      const passes = direct.statusCode !== 401 && direct.statusCode !== 403
      if (status !== direct.statusCode) throw new Error(`tool ${status}, HTTP ${direct.statusCode}`)
      if ((await names).has(name) !== passes) throw new Error(`listed: ${!passes}, HTTP ${direct.statusCode}`)
    }),
    { numRuns: 300 }
  )
})
