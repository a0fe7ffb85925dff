/** Who reads from the primary: whoever may have written, a caller of late, and all who are not known. */
import Fastify, { type FastifyRequest } from 'fastify'
import { ensureKernel, requestChannels } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { StickyReads } from '../../src/repository/sticky-reads.ts'

const FRAME = (request: FastifyRequest) => ({ request, method: null })

/** Routes that say whether the primary has to answer; `POST` writes first. */
async function served(t: Test, stickyMs = 0) {
  const clock = new ManualClock()
  const sticky = new StickyReads({ clock, stickyMs })
  const fastify = Fastify({ trustProxy: true })
  t.teardown(() => fastify.close())
  t.teardown(sticky.listen())
  await ensureKernel(fastify)
  fastify.addHook('onRequest', async (request) => {
    const { user } = request.headers
    if (typeof user === 'string') request.user = { identifier: user, roles: [] }
  })
  if (stickyMs > 0) fastify.addHook('onResponse', async (request) => sticky.answered(request))
  fastify.get('/', async () => sticky.needsPrimary)
  fastify.post('/', async () => {
    const before = sticky.needsPrimary
    sticky.wrote()
    return [before, sticky.needsPrimary]
  })
  fastify.get('/frames', async (request) => {
    const { frame } = requestChannels
    const first = frame.trace(FRAME(request), () => {
      sticky.wrote()
      return sticky.needsPrimary
    })
    return [sticky.needsPrimary, first, frame.trace(FRAME(request), () => sticky.needsPrimary)]
  })
  await fastify.ready()
  const asked = async (method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}) =>
    JSON.parse((await fastify.inject({ method, url, headers })).body) as unknown
  return { sticky, clock, asked }
}

t.test('a request, until it writes; outside of any, always', async (t) => {
  const { sticky, asked } = await served(t)
  t.equal(sticky.needsPrimary, true)
  t.equal(await asked('GET', '/'), false)
  t.strictSame(await asked('POST', '/'), [false, true])
  t.equal(await asked('GET', '/'), false, 'nothing is promised to the next one')
  t.strictSame(
    sticky.run(() => {
      const before = sticky.needsPrimary
      sticky.wrote()
      return [before, sticky.needsPrimary]
    }),
    [false, true]
  )
  t.equal(
    sticky.run(() => sticky.needsPrimary),
    false
  )
})

t.test('messages of a socket one by one; its upgrade request is none', async (t) => {
  const { asked } = await served(t)
  t.strictSame(await asked('GET', '/frames', { connection: 'upgrade', upgrade: 'websocket' }), [true, true, false])
})

t.test('a job reads from the primary, also one that runs in a request', async (t) => {
  const { sticky } = await served(t)
  const job = { queue: 'q', lane: 'l', id: null, attempt: 1, traceparent: null }
  const inJob = () => requestChannels.job.trace(job, () => [sticky.needsPrimary, sticky.run(() => sticky.needsPrimary)])
  t.strictSame(inJob(), [true, false])
  t.strictSame(sticky.run(inJob), [true, false])
})

t.test('stickyMs of messages', async (t) => {
  const { asked, clock } = await served(t, 5000)
  const socket = { connection: 'upgrade', upgrade: 'websocket' }
  t.strictSame(await asked('GET', '/frames', socket), [true, true, true], 'the next message of the same caller')
  t.equal(await asked('GET', '/'), true, 'and the next request')
  clock.advance(5000)
  t.equal(await asked('GET', '/'), false)
})

t.test('what a part of a request writes, the rest of the request sees', async (t) => {
  const { sticky } = await served(t)
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await ensureKernel(fastify)
  fastify.get('/', async () => {
    sticky.run(() => sticky.wrote())
    return sticky.needsPrimary
  })
  t.equal((await fastify.inject('/')).body, 'true')
})

t.test('stickyMs: by user, else by address, and for so long after the answer', async (t) => {
  const { asked, clock } = await served(t, 5000)
  const from = (address: string, user?: string) => ({ 'x-forwarded-for': address, ...(user !== undefined && { user }) })
  await asked('POST', '/', from('10.0.0.1'))
  await asked('POST', '/', from('10.0.0.3', 'ada'))
  t.equal(await asked('GET', '/', from('10.0.0.1')), true)
  t.equal(await asked('GET', '/', from('10.0.0.2')), false)
  t.equal(await asked('GET', '/', from('10.0.0.2', 'ada')), true, 'a user has no address')
  t.equal(await asked('GET', '/', from('10.0.0.1', 'bob')), false)
  clock.advance(4999)
  t.equal(await asked('GET', '/', from('10.0.0.1')), true)
  clock.advance(1)
  t.equal(await asked('GET', '/', from('10.0.0.1')), false)
  t.equal(await asked('GET', '/', from('10.0.0.2', 'ada')), false)
})

t.test('more callers than are remembered: the primary for all, for a while', async (t) => {
  const clock = new ManualClock()
  const sticky = new StickyReads({ clock, stickyMs: 5000 })
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await ensureKernel(fastify)
  fastify.get('/', async () => sticky.needsPrimary)
  fastify.post('/', async (request) => {
    const addresses = Array.from({ length: 50_001 }, (_, number) => `10.${number}`)
    for (const ip of addresses) {
      Object.defineProperty(request, 'ip', { value: ip, configurable: true })
      sticky.wrote()
    }
    return 'written'
  })
  t.equal((await fastify.inject('/')).body, 'false')
  await fastify.inject({ method: 'POST', url: '/' })
  t.equal((await fastify.inject('/')).body, 'true')
  clock.advance(5000)
  t.equal((await fastify.inject('/')).body, 'false')
})

t.test('closed, it listens no more', async (t) => {
  const sticky = new StickyReads({ clock: new ManualClock(), stickyMs: 0 })
  const end = sticky.listen()
  t.equal(requestChannels.job.hasSubscribers, true)
  end()
  t.equal(requestChannels.job.hasSubscribers, false)
})
