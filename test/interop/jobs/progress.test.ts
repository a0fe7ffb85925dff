/** The progress of a job reaches the sockets of the user who caused it, and no one else’s. */
import { once } from 'node:events'
import Fastify, { type FastifyInstance } from 'fastify'
import svcJobs from 'svc-jobs'
import { createAccessToken } from 'svc-kernel'
import svcRealtime from 'svc-realtime'
import t, { type Test } from 'tap'
import { portOf } from '../../support/ports.ts'

async function opened(t: Test): Promise<FastifyInstance> {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  // svc-realtime may come later: jobs look for it when they run.
  await fastify.register(svcJobs)
  fastify.addHook('onRequest', async (request) => {
    const name = request.headers['x-user']
    if (typeof name !== 'string') return
    const token = createAccessToken({ type: 'session', user: { identifier: name, roles: ['ROLE_SVC_ADMIN'] } })
    Object.assign(request, { user: token.user, token })
  })
  fastify.accessGate.use({ allows: () => true })
  await fastify.register(svcRealtime, { channels: [{ pattern: '*', anonymous: true }] })
  fastify.jobs.define('import', {}, (_, { progress }) => progress(0.4, 'rows'))
  fastify.post('/import', () => fastify.jobs.add('import'))
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  return fastify
}

/** @returns what the socket hears, after it asked for a channel; the first is the answer to that */
async function listening(fastify: FastifyInstance, user: string, channel: string) {
  const url = `ws://127.0.0.1:${portOf(fastify.server)}/svc/realtime`
  const socket = new WebSocket(url, { headers: { 'x-user': user } } as never)
  const heard: Record<string, unknown>[] = []
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as Record<string, unknown>
    if (frame.method !== 'realtime.welcome') heard.push(frame)
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'channel.subscribe', params: { channel } }))
  const until = async (count: number) => {
    while (heard.length < count) await once(socket, 'message')
    return heard
  }
  return { until, close: () => socket.close() }
}

t.test('ada hears of her job, and an administrator does not', async (t) => {
  const fastify = await opened(t)
  const channel = 'svc:own:ada%40x.io:jobs'
  const ada = await listening(fastify, 'ada@x.io', channel)
  const eve = await listening(fastify, 'eve@x.io', channel)
  const refused = await eve.until(2)
  t.match(
    refused.find(({ id }) => id === 1),
    { error: { code: -32003 } }
  )
  await ada.until(1)
  const add = async (user: string) =>
    (await fastify.inject({ method: 'POST', url: '/import', headers: { 'x-user': user } })).json().id
  await add('eve@x.io')
  const id = await add('ada@x.io')
  const [answer, message] = await ada.until(2)
  t.match(answer, { id: 1, result: { channel } })
  const data = { id, name: 'import', progress: { value: 0.4, text: 'rows' } }
  t.match(message, { method: 'channel.message', params: { channel, data } })
  t.equal(refused.length, 2, 'the refusal, and the notice of it')
  for (const { close } of [ada, eve]) close()
})
