/**
 * Instances with clocks an hour apart make the slots of one schedule, and are killed one after the other. Each slot runs
 * to its end, and no two run at the same moment.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Backend } from '../campaign/backends/backend.ts'
import { BACKENDS, onEach } from '../campaign/backends/on-each.ts'
import { Instance } from '../instance-process.ts'
import { Referee } from './referee.ts'

const MINUTE = 60_000
const PROGRAM = fileURLToPath(new URL('./schedule-app.js', import.meta.url))
/** A minute takes 3 s; a silent instance is replaced after 1.5 s. */
const FAST = 20
const CLOCKS_OFF_MS = [0, 60 * MINUTE, -60 * MINUTE]
const KILLS = 4
const EVERY_MS = 700
const PATIENCE_MS = 90_000

interface Report {
  readonly slots: number
  /** Between the first and the last slot that got a job, without an end. */
  readonly missed: readonly string[]
  /** At no full minute. */
  readonly strange: readonly string[]
  readonly overlaps: readonly string[]
  readonly crashes: readonly string[]
}

async function campaign({ storage, redis }: Backend): Promise<Report> {
  const referee = await Referee.start((kind) => kind)
  const fast = { times: FAST, since: Date.now() }
  const instances = CLOCKS_OFF_MS.map(
    (offMs) => new Instance(PROGRAM, { storage, redis, fast, offMs, referee: referee.url })
  )
  const times = (kind: string) => {
    const keys = [...referee.ended.keys()].filter((key) => key.startsWith(`${kind}/`))
    return keys.map((key) => Number(key.slice(kind.length + 1)))
  }
  try {
    // One by one: the first makes the tables, and declares the schedule by the true time.
    for (const instance of instances) await instance.start()
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(EVERY_MS)
      const victim = instances[kill % instances.length] as Instance
      const { pid } = victim
      await victim.end('SIGKILL')
      if (pid !== undefined) referee.killed(pid)
      await victim.start()
    }
    for (const instance of instances) await instance.post('/report')
    const last = Math.max(...times('last'))
    const missed = () => {
      const ended = new Set(times('slot'))
      const first = Math.min(...ended)
      const wanted = Array.from(
        { length: Math.max(0, (last - first) / MINUTE + 1) },
        (_, index) => first + index * MINUTE
      )
      return wanted.filter((slot) => !ended.has(slot))
    }
    const end = performance.now() + PATIENCE_MS
    while ((referee.ended.size < 2 || missed().length > 0) && performance.now() < end) await sleep(100)
    const texts = (slots: readonly number[]) => slots.map((slot) => new Date(slot).toISOString())
    return {
      slots: times('slot').length,
      missed: texts(missed()),
      strange: texts(times('slot').filter((slot) => slot % MINUTE !== 0)),
      overlaps: referee.overlaps,
      crashes: instances.flatMap(({ crashes }) => crashes)
    }
  } finally {
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')))
    referee.stop()
  }
}

onEach(t, BACKENDS, '3 instances, killed while slots are made', async (t, backend) => {
  const { slots, missed, strange, overlaps, crashes } = await campaign(backend)
  t.comment(`${slots} slots`)
  t.ok(slots > 60, 'the hour that one clock is ahead, and more')
  t.strictSame([missed, strange, overlaps, crashes], [[], [], [], []])
})
