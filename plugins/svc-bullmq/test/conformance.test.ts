/** The published suite of durable queues, on a real Redis. */
import { queueConformance } from 'svc-queue/conformance'
import t from 'tap'
import { type BullmqQueue, bullmqQueue } from '../src/index.ts'
import { elapse } from './support/elapse.ts'
import { redisProgram, startRedis } from './support/redis.ts'

if (redisProgram === null) {
  const reason = 'SKIPPED: neither redis-server nor valkey-server is installed; nothing here was tested'
  process.stderr.write(`\n  ${reason}\n\n`)
  t.plan(0, reason)
} else {
  redisTests(redisProgram)
}

function redisTests(program: string): void {
  t.test('the suite', async (t) => {
    const redis = (await startRedis(t, program)).connect()
    await queueConformance(t, {
      makeStore: async () => {
        await redis.flushall()
        return bullmqQueue({ connection: redis })
      },
      closeStore: (queue) => (queue as BullmqQueue).close(),
      faults: null,
      lanes: false,
      elapse: (ms) => elapse(redis, ms)
    })
  })
}
