/**
 * Instances that emit and deliver events are killed one after the other, between commit and delivery among others: each
 * event of an answered request arrives at least once, at the endpoint of its organisation, and at no other.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { until } from '../../support/until.ts'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { Callers } from '../callers.ts'
import { DATABASES, onEach } from '../campaign/backends/on-each.ts'
import { Instance } from '../instance-process.ts'
import { jobStorage } from '../jobs/job-faults.ts'
import { ORGANIZATIONS } from './event-app.ts'

/** Time runs faster for events: a silent instance is replaced after 1.5 s. */
const FAST = 20
const KILLS = 4
const EVERY_MS = 400
const LOAD = { callers: 3, pauseMs: 20, perPhase: 40 }
const PROGRAM = fileURLToPath(new URL('./event-app.js', import.meta.url))

onEach(t, DATABASES, '2 instances, killed under load', async (t, backend) => {
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
  })
  // One by one: the first makes the tables.
  for (const instance of instances) await instance.start()
  t.ok(await instances[0]?.post('/endpoints'))

  const acknowledged = new Set<string>()
  const callers = new Callers(LOAD, async (count) => {
    const [of, title] = [ORGANIZATIONS[count % 2] as string, `t${count}`]
    // Each instance emits for both.
    const isAcknowledged = await (instances[Math.floor(count / 2) % 2] as Instance).post(`/emit/${of}/${title}`)
    if (isAcknowledged) acknowledged.add(`${of} ${title}`)
    return isAcknowledged
  })
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(EVERY_MS)
    const victim = instances[kill % 2] as Instance
    await victim.end('SIGKILL')
    callers.next()
    await victim.start()
    callers.next()
  }
  await sleep(EVERY_MS)
  await callers.stop()

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
