/**
 * Three instances share a maintenance task, and the one that runs it is killed in the middle. Another one runs it again, no
 * two run it at the same moment, and every job of it ends well.
 */
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { until } from '../../support/until.ts'
import type { Backend } from '../campaign/backends/backend.ts'
import { DATABASES, onEach } from '../campaign/backends/on-each.ts'
import { Instance } from '../instance-process.ts'
import { Referee } from './referee.ts'

const PROGRAM = fileURLToPath(new URL('./maintenance-app.js', import.meta.url))
/** A minute takes 3 s; a silent instance is replaced after 1.5 s. */
const FAST = 20
const INSTANCES = 3
const KILLS = 2
/** Runs that end after the last kill. */
const RUNS_AFTER = 2

async function campaign({ storage }: Backend) {
  const referee = await Referee.start((kind) => (kind === 'run' ? kind : null))
  const fast = { times: FAST, since: Date.now() }
  const instances = Array.from(
    { length: INSTANCES },
    () => new Instance(PROGRAM, { storage, fast, offMs: 0, referee: referee.url })
  )
  const ended = (kind: string) => [...referee.ended.keys()].filter((key) => key.startsWith(`${kind}/`)).length
  const begun = () => referee.begun.get('run')?.length ?? 0
  try {
    // One by one: the first makes the tables.
    for (const instance of instances) await instance.start()
    for (let kills = 0; kills < KILLS; ) {
      const before = begun()
      await until(() => begun() > before && referee.running('run').length > 0, 'a run')
      const [pid] = referee.running('run')
      const victim = instances.find((instance) => instance.pid === pid)
      if (victim === undefined || pid === undefined) continue
      await victim.end('SIGKILL')
      kills += 1
      referee.killed(pid)
      await victim.start()
    }
    const atKill = ended('run')
    await until(() => ended('run') >= atKill + RUNS_AFTER, 'runs after the last kill')
    await instances[0]?.post('/report')
    return {
      begun: begun(),
      ended: ended('run'),
      done: ended('done'),
      dead: ended('failed') + ended('parked'),
      overlaps: referee.overlaps,
      crashes: instances.flatMap(({ crashes }) => crashes)
    }
  } finally {
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')))
    referee.stop()
  }
}

onEach(t, DATABASES, 'the instance that runs a task is killed', async (t, backend) => {
  const { begun, ended, done, dead, overlaps, crashes } = await campaign(backend)
  t.comment(`${begun} begun, ${ended} ended, ${done} done`)
  t.ok(begun >= ended + KILLS, 'runs were cut off')
  t.ok(done >= RUNS_AFTER - 1 && done <= ended, 'each slot that is done was run to its end')
  t.strictSame([dead, overlaps, crashes], [0, [], []])
})
