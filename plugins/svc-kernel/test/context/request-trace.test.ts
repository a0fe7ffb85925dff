/** The trace of a request: in each of its log lines, in its error body, and to be asked for; only where there is one. */
import { Writable } from 'node:stream'
import { fastify as createFastify } from 'fastify'
import t, { type Test } from 'tap'
import { currentTraceId, ensureKernel, requestChannels } from '../../src/index.ts'
import { currentTraceparent, traceFrom } from '../../src/plugin.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const HEADER = `00-${TRACE}-00f067aa0ba902b7-01`

async function traced(t: Test) {
  const lines: { msg: string; traceId?: string }[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    }
  })
  const fastify = createFastify({ logger: { level: 'info', stream } })
  t.teardown(() => fastify.close())
  await ensureKernel(fastify)
  fastify.get('/trace', async (request) => {
    await null
    request.log.info('handled')
    return { traceparent: currentTraceparent(), traceId: currentTraceId() }
  })
  fastify.get('/fails', { config: { svc: { name: 'Test.fails' } } } as never, async () => {
    throw Object.assign(new Error('gone'), { statusCode: 410 })
  })
  await fastify.ready()
  return { fastify, lines }
}

t.test('a valid traceparent of the caller is the trace of the request', async (t) => {
  const { fastify, lines } = await traced(t)
  const answer = await fastify.inject({ url: '/trace', headers: { traceparent: HEADER } })
  t.strictSame(answer.json(), { traceparent: HEADER, traceId: TRACE })
  const own = lines.filter(({ msg }) => msg === 'handled' || msg === 'request completed')
  t.strictSame(
    own.map(({ traceId }) => traceId),
    [TRACE, TRACE]
  )
  const failed = await fastify.inject({ url: '/fails', headers: { traceparent: HEADER } })
  t.match(failed.json(), { statusCode: 410, traceId: TRACE })
})

t.test('without one, and with a malformed one, there is no trace', async (t) => {
  const { fastify, lines } = await traced(t)
  for (const traceparent of [undefined, 'nonsense', `ff${HEADER.slice(2)}`]) {
    const headers = traceparent === undefined ? {} : { traceparent }
    const answer = await fastify.inject({ url: '/trace', headers })
    t.strictSame(answer.json(), { traceparent: null, traceId: null })
    const failed = await fastify.inject({ url: '/fails', headers })
    t.notOk('traceId' in failed.json())
  }
  t.notOk(lines.some((line) => 'traceId' in line))
  t.equal(currentTraceparent(), null)
})

t.test('the active span comes before what the caller sent', async (t) => {
  const { fastify } = await traced(t)
  const active = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
  const end = traceFrom(() => active)
  const ends = [end, requestChannels.entry.subscribe({ start: () => undefined })]
  t.teardown(() => {
    for (const each of ends) each()
  })
  const ask = async () => (await fastify.inject({ url: '/trace', headers: { traceparent: HEADER } })).json()
  t.match(await ask(), { traceparent: active })
  end()
  t.match(await ask(), { traceparent: HEADER }, 'until its source ends')
})
