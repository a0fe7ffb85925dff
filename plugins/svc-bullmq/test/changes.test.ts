/** Instances tell each other over Redis that endpoints changed; what was told while a connection was lost is made up for. */
import t from 'tap'
import { bullmqQueue } from '../src/index.ts'
import { redisProgram, startRedis } from './support/redis.ts'

if (redisProgram === null) {
  const reason = 'SKIPPED: neither redis-server nor valkey-server is installed; nothing here was tested'
  process.stderr.write(`\n  ${reason}\n\n`)
  t.plan(0, reason)
} else {
  redisTests(redisProgram)
}

/** Counts calls, and waits for as many. */
function calls() {
  let count = 0
  let told: (() => void) | null = null
  const listener = () => {
    count += 1
    told?.()
  }
  const reach = async (wanted: number) => {
    while (count < wanted) await new Promise<void>((resolve) => (told = resolve))
  }
  return { listener, reach, count: () => count }
}

function redisTests(program: string): void {
  t.test('what one tells the others hear, under the same name alone', async (t) => {
    const server = await startRedis(t, program)
    const redis = server.connect()
    const [one, other] = [bullmqQueue({ connection: redis }), bullmqQueue({ connection: server.connect() })]
    const foreign = bullmqQueue({ connection: redis, name: 'foreign' })
    const [heard, elsewhere] = [calls(), calls()]
    const ends = [other.changes?.subscribe(heard.listener), foreign.changes?.subscribe(elsewhere.listener)]
    await Promise.all([heard.reach(1), elsewhere.reach(1)])
    await one.changes?.announce()
    await heard.reach(2)

    // As after an outage: what was told meanwhile is not known, so it is as if something had been.
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await heard.reach(3)
    await one.changes?.announce()
    await heard.reach(4)
    await elsewhere.reach(2)
    t.equal(elsewhere.count(), 2, 'nothing was told to it; it connected twice')

    for (const end of ends) end?.()
    await one.changes?.announce()
    await redis.ping()
    t.equal(heard.count(), 4)
    const connected = async () => String(await redis.call('CLIENT', 'LIST', 'TYPE', 'pubsub')).trim()
    while ((await connected()) !== '') await new Promise((resolve) => setImmediate(resolve))
    for (const queue of [one, other, foreign]) await queue.close()
  })
}
