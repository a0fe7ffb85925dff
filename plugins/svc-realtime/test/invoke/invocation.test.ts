/** Changes over the socket: a key on each, the gate before each, and nothing where there is no gate. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { GatesPort } from 'svc-kernel/plugin'
import { decorateOff } from 'svc-kernel/plugin'
import t, { type Test } from 'tap'
import { ALICE, invokable, realtimeApp } from '../support/realtime-app.ts'
import { RpcClient } from '../support/rpc-client.ts'

/** A gate that answers a known key with what it kept, and notes who passed. */
function rememberingGate(passed: string[]): GatesPort {
  const kept = new Map<string, string>()
  const key = (request: FastifyRequest): string => `${request.user?.identifier} ${request.headers['idempotency-key']}`
  return {
    csrf: (_request, _reply, payload, done) => done(null, payload),
    session: (_request, _reply, payload, done) => done(null, payload),
    recentProof: (_request, _reply, payload, done) => done(null, payload),
    rights: { proof: null, check: () => undefined, checkLeaving: async () => undefined },
    idempotency: {
      preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
        passed.push(key(request))
        const answer = kept.get(key(request))
        if (answer !== undefined) {
          reply.header('idempotency-replayed', 'true').type('application/json').send(answer)
          return reply
        }
        return undefined
      },
      onSend: async (request: FastifyRequest, _reply: FastifyReply, payload: unknown) => {
        if (typeof payload === 'string' && !kept.has(key(request))) kept.set(key(request), payload)
        return payload
      }
    } as unknown as GatesPort['idempotency']
  }
}

async function orders(t: Test, passed: string[], more: (fastify: FastifyInstance) => void = () => undefined) {
  let made = 0
  const gates = rememberingGate(passed)
  const { fastify } = await realtimeApp(t, {
    before: (fastify) => void fastify.decorate('gates', gates),
    routes: (fastify) => {
      const body = { type: 'object', required: ['item'], properties: { item: { type: 'string' } } }
      fastify.post('/orders', { ...invokable('ROLE_USER'), schema: { body } }, (request, reply) => {
        made += 1
        reply.code(201).header('location', `/orders/${made}`)
        return { made, item: (request.body as { item: string }).item }
      })
      fastify.post('/admin', invokable('ROLE_ADMIN'), () => ({ ok: true }))
      fastify.delete('/orders/:id', invokable('ROLE_USER'), () => ({ gone: true }))
      more(fastify)
    }
  })
  return { client: await RpcClient.open(fastify, ALICE), fastify, gates }
}

const post = (body: unknown, idempotencyKey?: unknown) => ({ path: '/orders', method: 'POST', body, idempotencyKey })

t.test('a change carries a key, and is made once', async (t) => {
  const passed: string[] = []
  const { client } = await orders(t, passed)
  t.match(await client.call('api.request', post({ item: 'tea' })), {
    error: { code: -32602, message: 'idempotencyKey is required for POST' }
  })
  t.match(await client.call('api.request', post({ item: 'tea' }, 'k1')), {
    result: { status: 201, headers: { location: '/orders/1' }, body: { made: 1, item: 'tea' } }
  })
  t.match(await client.call('api.request', post({ item: 'tea' }, 'k1')), {
    result: { body: { made: 1 }, headers: { 'idempotency-replayed': 'true' } }
  })
  t.match(await client.call('api.request', post({ item: 'tea' }, 'k2')), { result: { body: { made: 2 } } })
  t.match(await client.call('api.request', { path: '/orders/1', method: 'DELETE', idempotencyKey: 'k3' }), {
    result: { body: { gone: true } }
  })
  t.strictSame(passed, ['alice k1', 'alice k1', 'alice k2', 'alice k3'])
})

t.test('the guard and the validation come before the gate', async (t) => {
  const passed: string[] = []
  const { client } = await orders(t, passed)
  t.match(await client.call('api.request', { path: '/admin', method: 'POST', idempotencyKey: 'k' }), {
    error: { code: -32003 }
  })
  t.match(await client.call('api.request', post({ items: 1 }, 'k')), { error: { code: -32000, data: { status: 400 } } })
  t.match(await client.call('api.request', post({ item: 'x' }, 'k')), { result: {} })
  client.send(
    '{"jsonrpc":"2.0","id":"p","method":"api.request","params":{"path":"/orders","method":"POST","idempotencyKey":"p","body":{"item":"x","__proto__":{"a":1}}}}'
  )
  t.match(await client.answer(), { id: 'p', error: { code: -32000, data: { status: 400 } } }, 'as over HTTP')
  t.strictSame(passed, ['alice k'])
})

t.test('over HTTP the same route asks for no key', async (t) => {
  const passed: string[] = []
  const { fastify } = await orders(t, passed)
  const answer = await fastify.inject({ method: 'POST', url: '/orders', headers: ALICE, payload: { item: 'tea' } })
  t.equal(answer.statusCode, 201)
  t.strictSame(passed, [])
})

t.test('a route with a gate of its own passes it once', async (t) => {
  const passed: string[] = []
  const { client } = await orders(t, passed, (fastify) => {
    const { preHandler, onSend } = fastify.gates.idempotency
    fastify.put('/own', { ...invokable(), preHandler, onSend } as RouteOptions as never, () => ({ own: true }))
  })
  t.match(await client.call('api.request', { path: '/own', method: 'PUT', body: {}, idempotencyKey: 'k' }), {
    result: { body: { own: true } }
  })
  t.strictSame(passed, ['alice k'])
})

t.test('E8: a gate that is switched off is none: no change, and reading goes on', async (t) => {
  let changed = 0
  const { fastify } = await realtimeApp(t, {
    before: (fastify) => decorateOff(fastify, 'gates', () => new Error('it is off')),
    routes: (fastify) => {
      fastify.post('/orders', invokable(), () => ({ changed: ++changed }))
      fastify.get('/orders', invokable(), () => ({ read: true }))
    }
  })
  const client = await RpcClient.open(fastify, ALICE)
  t.match(await client.call('api.request', { path: '/orders', method: 'POST', idempotencyKey: 'k' }), {
    error: { code: -32000, data: { status: 503, code: 'SVC_REALTIME_NO_GATE' } }
  })
  t.match(await client.call('api.request', { path: '/orders' }), { result: { status: 200, body: { read: true } } })
  t.equal(changed, 0)
})

t.test('without a gate there is no change, and reading goes on', async (t) => {
  let changed = 0
  const { fastify } = await realtimeApp(t, {
    before: (fastify) => {
      fastify.post('/early', invokable(), () => ({ changed: ++changed }))
      fastify.get('/early', invokable(), () => ({ read: true }))
    },
    routes: (fastify) => {
      fastify.post('/late', invokable(), () => ({ changed: ++changed }))
    }
  })
  const client = await RpcClient.open(fastify, ALICE)
  for (const path of ['/early', '/late']) {
    t.match(await client.call('api.request', { path, method: 'POST', idempotencyKey: 'k' }), {
      error: { code: -32000, data: { status: 503, code: 'SVC_REALTIME_NO_GATE' } }
    })
  }
  t.match(await client.call('api.request', { path: '/early' }), { result: { body: { read: true } } })
  t.equal(changed, 0)
})
