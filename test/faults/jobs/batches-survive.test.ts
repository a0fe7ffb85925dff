/**
 * Instances are killed while jobs of batches end. The job that follows an acknowledged batch runs, after all of its jobs;
 * the rows of a step are there once, however often its job runs. In the long run: MongoDB takes a minute to end the
 * transactions of a killed process.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Absent, Backend } from '../campaign/backends/backend.ts'
import { documents } from '../campaign/backends/documents.ts'
import { postgres } from '../campaign/backends/postgres.ts'
import { sqlite } from '../campaign/backends/sqlite.ts'
import { Instance } from '../instance-process.ts'
import { BATCH } from './batch-app.ts'
import { Referee } from './referee.ts'

const BACKENDS: readonly [string, () => Promise<Backend | Absent>][] = [
  ['sqlite', sqlite],
  ['postgres', postgres],
  ['documents', documents]
]

const PROGRAM = fileURLToPath(new URL('./batch-app.js', import.meta.url))
/**
 * A silent instance is replaced after 3 s. One that is starved of the processor for so long is silent, too, and a job of which
 * three attempts ended so is parked.
 */
const FAST = 10
const INSTANCES = 3
const KILLS = 4
const EVERY_MS = 600
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
}

async function campaign(storage: string): Promise<Report> {
  const referee = await Referee.start(() => null)
  const fast = { times: FAST, since: Date.now() }
  const instances = Array.from({ length: INSTANCES }, () => {
    return new Instance(PROGRAM, { storage, fast, offMs: 0, referee: referee.url })
  })
  const acknowledged: string[] = []
  let isOver = false
  const load = async (first: number) => {
    for (let number = first; !isOver; number += INSTANCES) {
      const name = `b${number}`
      if (await (instances[number % INSTANCES] as Instance).post(`/batch/${name}`)) acknowledged.push(name)
      await sleep(25)
    }
  }
  try {
    // One by one: the first makes the tables.
    for (const instance of instances) await instance.start()
    const loads = [0, 1, 2].map(load)
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(EVERY_MS)
      const victim = instances[kill % INSTANCES] as Instance
      await victim.end('SIGKILL')
      await victim.start()
    }
    isOver = true
    await Promise.all(loads)
    const lost = () => acknowledged.filter((name) => !referee.ended.has(`next/${name}`))
    const end = performance.now() + PATIENCE_MS
    while (lost().length > 0 && performance.now() < end) await sleep(100)
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
      crashes: instances.flatMap(({ crashes }) => crashes)
    }
  } finally {
    isOver = true
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')))
    referee.stop()
  }
}

for (const [name, open] of BACKENDS) {
  t.test(`${name}: 3 instances, killed while batches end`, { timeout: 240_000 }, async (t) => {
    const backend = await open()
    if ('absent' in backend) {
      process.stderr.write(`\n  SKIPPED: ${backend.absent}; batches on ${name} were not tried\n\n`)
      t.plan(0, backend.absent)
      return
    }
    t.teardown(() => backend.close())
    const { acknowledged, lost, early, repeated, crashes } = await campaign(backend.storage)
    t.comment(`${acknowledged} batches`)
    t.ok(acknowledged > 10)
    t.strictSame([lost, early, repeated, crashes], [[], [], [], []])
  })
}
