/**
 * Instances are killed while jobs of batches end. The job that follows an acknowledged batch runs, after all of its jobs;
 * the rows of a step are there once, however often its job runs. In the long run: MongoDB takes a minute to end the
 * transactions of a killed process.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { Callers } from '../callers.ts'
import { DATABASES, onEach } from '../campaign/backends/on-each.ts'
import { Instance } from '../instance-process.ts'
import { BATCH } from './batch-app.ts'
import { redriven } from './operator.ts'
import { Referee } from './referee.ts'

const PROGRAM = fileURLToPath(new URL('./batch-app.js', import.meta.url))
/** A silent instance is replaced after 6 s. One that is starved of the processor for so long is silent, too. */
const FAST = 5
const INSTANCES = 3
const KILLS = 4
const EVERY_MS = 600
const LOAD = { callers: 3, pauseMs: 25, perPhase: 12 }
const PATIENCE_MS = 150_000

interface Report {
  readonly acknowledged: number
  /** Jobs that follow and never ran to their end. */
  readonly lost: readonly string[]
  /** Jobs that ended before a job that they follow. */
  readonly early: readonly string[]
  /** Rows that are not there once. */
  readonly repeated: readonly string[]
  readonly crashes: readonly string[]
  /** With their reasons, and put back. */
  readonly parked: readonly string[]
}

async function campaign(storage: string): Promise<Report> {
  const referee = await Referee.start(() => null)
  const fast = { times: FAST, since: Date.now() }
  const instances = Array.from({ length: INSTANCES }, () => {
    return new Instance(PROGRAM, { storage, fast, offMs: 0, referee: referee.url })
  })
  const acknowledged: string[] = []
  let load: Callers | null = null
  try {
    // One by one: the first makes the tables.
    for (const instance of instances) await instance.start()
    load = new Callers(LOAD, async (count) => {
      const name = `b${count}`
      const isAcknowledged = await (instances[count % INSTANCES] as Instance).post(`/batch/${name}`)
      if (isAcknowledged) acknowledged.push(name)
      return isAcknowledged
    })
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(EVERY_MS)
      const victim = instances[kill % INSTANCES] as Instance
      await victim.end('SIGKILL')
      load.next()
      await victim.start()
      load.next()
    }
    await load.stop()
    const lost = () => acknowledged.filter((name) => !referee.ended.has(`next/${name}`))
    const parked = await redriven(instances[0] as Instance, referee, lost, PATIENCE_MS)
    // In the order of first ends.
    const order = new Map([...referee.ended.keys()].map((key, place) => [key, place]))
    const members = acknowledged.flatMap((name) => Array.from({ length: BATCH }, (_, place) => `${name}-${place}`))
    const isEarly = (name: string, member: string) =>
      (order.get(`member/${member}`) ?? Number.POSITIVE_INFINITY) > (order.get(`next/${name}`) ?? -1)
    await (instances[0] as Instance).post('/report')
    return {
      acknowledged: acknowledged.length,
      lost: lost(),
      early: members.filter((member) => isEarly(member.split('-')[0] as string, member)),
      repeated: members.filter((member) => referee.ended.get(`row/${member}`) !== 1),
      crashes: instances.flatMap(({ crashes }) => crashes),
      parked
    }
  } finally {
    await load?.stop()
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')))
    referee.stop()
  }
}

onEach(t, DATABASES, '3 instances, killed while batches end', async (t, backend) => {
  const { acknowledged, lost, early, repeated, crashes, parked } = await campaign(backend.storage)
  t.comment(`${acknowledged} batches`)
  for (const job of parked) t.comment(job)
  t.ok(acknowledged > 10)
  t.strictSame([lost, early, repeated, crashes], [[], [], [], []])
})
