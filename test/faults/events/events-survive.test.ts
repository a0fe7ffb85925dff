/**
 * Instances that emit and deliver events are killed one after the other, between commit and delivery among others: each
 * event of an answered request arrives at least once, at the endpoint of its organisation, and at no other.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { until } from '../../support/until.ts'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import type { Absent, Backend } from '../campaign/backends/backend.ts'
import { documents } from '../campaign/backends/documents.ts'
import { postgres } from '../campaign/backends/postgres.ts'
import { sqlite } from '../campaign/backends/sqlite.ts'
import { Instance } from '../instance-process.ts'
import { jobStorage } from '../jobs/job-faults.ts'
import { ORGANIZATIONS } from './event-app.ts'

const BACKENDS: readonly [string, () => Promise<Backend | Absent>][] = [
  ['sqlite', sqlite],
  ['postgres', postgres],
  ['documents', documents]
]

/** Time runs faster for events: a silent instance is replaced after 1.5 s. */
const FAST = 20
const KILLS = 4
const EVERY_MS = 400
const PROGRAM = fileURLToPath(new URL('./event-app.js', import.meta.url))

t.setTimeout(400_000)

for (const [name, open] of BACKENDS) {
  t.test(`${name}: 2 instances, killed under load`, { timeout: 240_000 }, async (t) => {
    const backend = await open()
    if ('absent' in backend) {
      process.stderr.write(`\n  SKIPPED: ${backend.absent}; events on ${name} were not tried\n\n`)
      t.plan(0, backend.absent)
      return
    }
    const { storage, close } = await jobStorage(backend)
    const receiver = await WebhookReceiver.start(t)
    const settings = {
      storage,
      fast: { times: FAST, since: Date.now() },
      offMs: 0,
      referee: '',
      receiver: receiver.url('')
    }
    const instances = [new Instance(PROGRAM, settings), new Instance(PROGRAM, settings)]
    t.teardown(async () => {
      await Promise.all(instances.map((instance) => instance.end('SIGKILL')))
      close()
      backend.close()
    })
    // One by one: the first makes the tables.
    for (const instance of instances) await instance.start()
    t.ok(await instances[0]?.post('/endpoints'))

    const acknowledged = new Set<string>()
    let running = true
    let count = 0
    const caller = async (at: number) => {
      while (running) {
        count += 1
        const [of, title] = [ORGANIZATIONS[count % 2] as string, `t${count}`]
        if (await instances[at % 2]?.post(`/emit/${of}/${title}`)) acknowledged.add(`${of} ${title}`)
        await sleep(20)
      }
    }
    const callers = [caller(0), caller(1), caller(2)]
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(EVERY_MS)
      const victim = instances[kill % 2] as Instance
      await victim.end('SIGKILL')
      await victim.start()
    }
    await sleep(EVERY_MS)
    running = false
    await Promise.all(callers)

    const arrived = () => {
      const found = new Set<string>()
      for (const { path, body } of receiver.received) {
        const { data } = JSON.parse(body.toString()) as { data: { title: string; of: string } }
        found.add(`${path.slice(1)} ${data.title}`)
      }
      return found
    }
    await until(() => {
      const there = arrived()
      return [...acknowledged].every((each) => there.has(each))
    }, 'every event of an answered request')
    const foreign = receiver.received.filter(({ path, body }) => {
      const { data } = JSON.parse(body.toString()) as { data: { of: string } }
      return path !== `/${data.of}`
    })
    t.comment(`${acknowledged.size} acknowledged, ${receiver.received.length} deliveries`)
    t.ok(acknowledged.size > 20)
    t.strictSame(foreign, [], 'no event went to another organisation')
    const crashes = instances.flatMap((instance) => instance.crashes)
    t.strictSame(crashes, [], 'none ended by itself')
  })
}
