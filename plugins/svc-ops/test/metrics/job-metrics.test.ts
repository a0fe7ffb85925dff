/** Jobs in the metrics: attempts of this application, and what waits in queues that can be read. */
import Fastify, { type FastifyInstance } from 'fastify'
import { type JobResult, jobAttempts, type QueueBacklog } from 'svc-kernel/plugin'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import svcOps, { type SvcOpsOptions } from '../../src/index.ts'

async function app(t: Test, options: SvcOpsOptions = {}, clock = new ManualClock()): Promise<FastifyInstance> {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOps, { ...options, parts: { clock } })
  return fastify
}

async function samples(fastify: FastifyInstance, name: string): Promise<string[]> {
  const text = await fastify.ops.registry.metrics()
  return text.split('\n').filter((line) => line.startsWith(name))
}

function tell(of: FastifyInstance, name: string, result: JobResult, durationMs: number): void {
  jobAttempts.publish({ app: of.server, name, result, durationMs })
}

t.test('attempts of this application by job and result, and how long those took that ran', async (t) => {
  const [mine, other] = [await app(t), await app(t)]
  tell(mine, 'note', 'done', 40)
  tell(mine, 'note', 'done', 60)
  tell(mine, 'note', 'retried', 20_000)
  tell(mine, 'note', 'parked', 1)
  tell(other, 'note', 'failed', 1)
  t.strictSame((await samples(mine, 'svc_jobs_attempts_total{')).sort(), [
    'svc_jobs_attempts_total{name="note",result="done"} 2',
    'svc_jobs_attempts_total{name="note",result="parked"} 1',
    'svc_jobs_attempts_total{name="note",result="retried"} 1'
  ])
  t.strictSame(await samples(mine, 'svc_jobs_attempt_duration_seconds_count'), [
    'svc_jobs_attempt_duration_seconds_count{name="note"} 3'
  ])
  t.ok(
    (await samples(mine, 'svc_jobs_attempt')).includes(
      'svc_jobs_attempt_duration_seconds_bucket{le="0.05",name="note"} 1'
    )
  )
  t.strictSame(await samples(other, 'svc_jobs_attempts_total{'), [
    'svc_jobs_attempts_total{name="note",result="failed"} 1'
  ])
})

t.test('queues that can be read, as they are; one that cannot has no value, and delays no metrics', async (t) => {
  const clock = new ManualClock()
  const fastify = await app(t, { metrics: { state: false, process: false } }, clock)
  let asked = 0
  let answer: () => Promise<QueueBacklog> = async () => ({
    lateMs: 4500,
    lanes: new Map([
      ['till', 3],
      ['(other)', 9]
    ])
  })
  const backlog = () => {
    asked += 1
    return answer()
  }
  fastify.queueDepths.add('jobs', () => 0, backlog)
  fastify.queueDepths.add('local', () => 1)
  const state = async () => [
    ...(await samples(fastify, 'svc_queue_late_seconds')),
    ...(await samples(fastify, 'svc_queue_waiting'))
  ]
  const text = await fastify.ops.registry.metrics()
  t.equal(asked, 1, 'one reading for all')
  t.strictSame(
    text.split('\n').filter((line) => line.startsWith('svc_queue')),
    [
      'svc_queue_late_seconds{queue="jobs"} 4.5',
      'svc_queue_waiting{queue="jobs",lane="till"} 3',
      'svc_queue_waiting{queue="jobs",lane="(other)"} 9'
    ]
  )
  answer = async () => ({ lateMs: null, lanes: new Map([['till', 0]]) })
  t.strictSame(await state(), [
    'svc_queue_late_seconds{queue="jobs"} 0',
    'svc_queue_waiting{queue="jobs",lane="till"} 0'
  ])
  answer = () => Promise.reject(new Error('away'))
  t.strictSame(await state(), [])
  answer = () => new Promise(() => undefined)
  const silent = fastify.ops.registry.metrics()
  await new Promise(setImmediate)
  clock.advance(1000)
  t.notMatch(await silent, /svc_queue_waiting\{/)
})

t.test('they can be left out', async (t) => {
  const fastify = await app(t, { metrics: { jobs: false } })
  t.equal(jobAttempts.hasSubscribers, false)
  t.strictSame(await samples(fastify, '# HELP svc_jobs'), [])
})
