/** The first failure of an outage is news, its repetitions are not, and its end is logged once. */
import { tracingChannel } from 'node:diagnostics_channel'
import { fastify as createFastify } from 'fastify'
import t, { type Test } from 'tap'
import { isAnnounced, OutageLog } from '../../src/http-errors/outage-log.ts'
import svcKernel from '../../src/index.ts'
import { routeSecurity } from '../../src/plugin.ts'

interface Line {
  readonly level: number
  readonly msg: string
}

function captured() {
  const lines: Line[] = []
  return { lines, stream: { write: (line: string) => void lines.push(JSON.parse(line) as Line) } }
}

/** Timers run when `advance` reaches them. */
function clockOf() {
  let now = 0
  let timers: { at: number; work: () => void }[] = []
  return {
    now: () => now,
    setTimeout: (work: () => void, ms: number) => {
      const timer = { at: now + ms, work }
      timers.push(timer)
      return timer
    },
    clearTimeout: (timer: unknown) => {
      timers = timers.filter((each) => each !== timer)
    },
    advance: (ms: number) => {
      now += ms
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { work } of due) work()
    },
    pending: () => timers.length
  }
}

function outageLog(t: Test) {
  const { lines, stream } = captured()
  const fastify = createFastify({ logger: { level: 'info', stream } })
  t.teardown(() => fastify.close())
  const clock = clockOf()
  return { log: new OutageLog(fastify.log, clock), clock, lines }
}

const away = (reason = 'ECONNREFUSED') => Object.assign(new Error('no'), { statusCode: 503, code: 'SVC_X', reason })

t.test('R1: an outage begins once and ends once, however many requests meet it', async (t) => {
  const { log, clock, lines } = outageLog(t)
  const news: boolean[] = []
  for (let second = 0; second < 30; second += 1) {
    news.push(log.firstOccurrence(away()), log.firstOccurrence(away()))
    clock.advance(1000)
  }
  t.equal(news.filter(Boolean).length, 1)
  t.strictSame(lines, [], 'it is not over yet')
  clock.advance(10_000)
  t.match(lines, [{ level: 30, count: 60, failure: 'SVC_X ECONNREFUSED' }])
  t.ok(log.firstOccurrence(away()), 'the next outage is news again')
  log.close()
  t.equal(clock.pending(), 0, 'no timer is left')
})

t.test('another cause is another outage; what is no 503 is always news', async (t) => {
  const { log } = outageLog(t)
  t.ok(log.firstOccurrence(away('a')))
  t.ok(log.firstOccurrence(away('b')))
  const hostile = {
    get statusCode(): never {
      throw new Error('no')
    }
  }
  for (const thrown of [new Error('bug'), 'text', null, undefined, hostile]) {
    t.ok(log.firstOccurrence(thrown))
    t.ok(log.firstOccurrence(thrown))
  }
  for (let kind = 0; kind < 200; kind += 1) t.ok(log.firstOccurrence(away(`cause ${kind}`)))
  t.ok(log.firstOccurrence(away('cause 199')), 'beyond the bound every failure is logged')
})

t.test('an outage that its own class logs is never news', async (t) => {
  const { log } = outageLog(t)
  const announced = Object.assign(away(), { announced: true })
  t.notOk(log.firstOccurrence(announced))
  t.ok(isAnnounced(announced))
  t.notOk(isAnnounced(away()))
  t.notOk(isAnnounced(Object.assign(new Error('bug'), { announced: true })), 'a bug is no outage')
})

t.test('A7: an outage that requests met ends by an answer, not by a quiet night', async (t) => {
  const { lines, stream } = captured()
  const clock = clockOf()
  const fastify = createFastify({ logger: { level: 'info', stream } })
  t.teardown(() => fastify.close())
  await fastify.register(svcKernel)
  const log = new OutageLog(fastify.log, clock)
  t.teardown(() => log.close())
  Object.defineProperty(fastify, 'outageLog', { value: log })
  let isAway = true
  const answer = async () => {
    if (isAway) throw away()
    return 'ok'
  }
  fastify.get('/orders/:id', { config: { svc: routeSecurity('orders') } }, answer)
  fastify.get('/other', async () => 'ok')
  const ended = () => lines.filter(({ msg }) => msg.includes('no longer meet')).length
  const failed = () => lines.filter(({ msg }) => msg === 'the request failed').length

  for (const id of [1, 2, 3]) t.equal((await fastify.inject(`/orders/${id}`)).statusCode, 503)
  clock.advance(3_600_000)
  t.equal((await fastify.inject('/orders/4')).statusCode, 503)
  t.strictSame([failed(), ended()], [1, 0], 'an hour without a request ends nothing')
  t.equal((await fastify.inject('/other')).statusCode, 200)
  clock.advance(60_000)
  t.equal(ended(), 0, 'another route says nothing of it')

  isAway = false
  t.equal((await fastify.inject('/orders/5')).statusCode, 200)
  t.equal(ended(), 1, 'the route that met it answers')
  t.match(
    lines.find(({ msg }) => msg.includes('no longer meet')),
    { count: 4 }
  )
  t.notOk(tracingChannel('fastify.request.handler').hasSubscribers, 'nobody listens without an outage')

  isAway = true
  await fastify.inject('/orders/6')
  isAway = false
  await fastify.inject('/orders/7')
  t.equal(ended(), 1, 'one answer among failures is no end')
  isAway = true
  await fastify.inject('/orders/8')
  t.equal(failed(), 2, 'and no second outage')
  isAway = false
  await fastify.inject('/orders/9')
  clock.advance(10_000)
  t.equal(ended(), 2)
  t.equal(clock.pending(), 0)
})
