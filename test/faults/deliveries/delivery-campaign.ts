/**
 * Instances that share a queue of deliveries, killed one after the other under load, their database restarted meanwhile,
 * their clocks apart. At the end each event that was acknowledged has arrived at least once; what arrived twice kept its
 * id; and nothing arrived at an endpoint for what was recorded after its deletion. Nothing here asserts: it reports what
 * was seen.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { Callers, type CallersPlan } from '../callers.ts'
import type { Backend } from '../campaign/backends/backend.ts'
import { Instance } from '../instance-process.ts'
import type { InstanceOrder } from './delivery-app.ts'

/** A phase ends with a kill. */
export interface DeliveryPlan extends CallersPlan {
  readonly instances: number
  /** Kills, one instance each. */
  readonly kills: number
  /** Between two kills. */
  readonly everyMs: number
}

export interface DeliveryReport {
  readonly acknowledged: number
  readonly refused: number
  readonly arrived: number
  /** Messages that came again. */
  readonly duplicates: number
  /** Acknowledged, and never arrived. */
  readonly lost: readonly string[]
  /** Arrived under two ids. */
  readonly renamed: readonly string[]
  /** Recorded after the endpoint was deleted, and sent to it. */
  readonly afterDeletion: readonly string[]
  /** Instances that ended though nobody killed them. */
  readonly crashes: readonly string[]
}

/**
 * Time runs faster for deliveries: a silent instance is replaced after 1.5 s, a failed attempt repeated after as long. In
 * Redis time is what it is: half a minute.
 */
const FAST = 20
const CLOCKS_OFF_MS = [0, 600_000, -600_000]
const PATIENCE_MS = 90_000
/** Within which every instance knows of a deletion, and an attempt that was under way is over. */
const KNOWN_MS = 1_000

const PROGRAM = fileURLToPath(new URL('./delivery-app.js', import.meta.url))

export async function runDeliveryCampaign(backend: Backend, plan: DeliveryPlan): Promise<DeliveryReport> {
  const fast = { times: FAST, since: Date.now() }
  const instances = Array.from({ length: plan.instances }, (_, index) => {
    const { storage, redis } = backend
    const offMs = CLOCKS_OFF_MS[index % CLOCKS_OFF_MS.length] ?? 0
    return new Instance<InstanceOrder>(PROGRAM, { storage, fast, offMs, ...(redis === undefined ? {} : { redis }) })
  })
  const receiver = await WebhookReceiver.start({ teardown: () => undefined })
  const acknowledged = new Set<string>()
  let mark = 'early'
  let load: Callers | null = null
  try {
    // One by one: the first makes the tables.
    for (const instance of instances) await instance.start()
    const [first] = instances as [Instance<InstanceOrder>]
    await first.order({ do: 'register', url: receiver.url('/kept') })
    const deleted = await first.order({ do: 'register', url: receiver.url('/deleted') })
    await sleep(KNOWN_MS)
    load = new Callers(plan, async (count) => {
      const name = `${mark}-${count}`
      const isAcknowledged = await (instances[count % instances.length] as Instance<InstanceOrder>).post(
        `/ring/${name}`
      )
      if (isAcknowledged) acknowledged.add(name)
      return isAcknowledged
    })
    for (let kill = 0; kill < plan.kills; kill += 1) {
      await sleep(plan.everyMs)
      const victim = instances[kill % instances.length] as Instance<InstanceOrder>
      await victim.end('SIGKILL')
      load.next()
      if (kill === Math.floor(plan.kills / 2)) await restartDatabase(backend)
      await victim.start()
    }
    await first.order({ do: 'delete', id: deleted })
    await sleep(KNOWN_MS)
    mark = 'after-deletion'
    load.next()
    await sleep(plan.everyMs)
    await load.stop()
    const end = performance.now() + PATIENCE_MS
    while (missing(acknowledged, receiver).length > 0 && performance.now() < end) await sleep(100)
    const { refused } = load
    return { ...report(acknowledged, receiver), refused, crashes: instances.flatMap(({ crashes }) => crashes) }
  } finally {
    await load?.stop()
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')))
    receiver.stop()
  }
}

/** A server that stops and starts; a file in the application has none. */
async function restartDatabase({ faults }: Backend): Promise<void> {
  const restart = faults.find(({ name }) => name === 'the server is killed')
  await restart?.strike(0)
  await restart?.mend(0)
}

/** By path and event: the ids of its messages. */
function arrivals({ received }: WebhookReceiver, at: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { path, headers, body } of received) {
    if (path !== at) continue
    const { data } = JSON.parse(body.toString()) as { data: { resource: string } }
    found.set(data.resource, [...(found.get(data.resource) ?? []), String(headers['webhook-id'])])
  }
  return found
}

function missing(acknowledged: ReadonlySet<string>, receiver: WebhookReceiver): string[] {
  const arrived = arrivals(receiver, '/kept')
  return [...acknowledged].filter((name) => !arrived.has(name))
}

function report(
  acknowledged: ReadonlySet<string>,
  receiver: WebhookReceiver
): Omit<DeliveryReport, 'crashes' | 'refused'> {
  const arrived = arrivals(receiver, '/kept')
  return {
    acknowledged: acknowledged.size,
    arrived: arrived.size,
    duplicates: [...arrived.values()].reduce((sum, ids) => sum + ids.length - 1, 0),
    lost: missing(acknowledged, receiver),
    renamed: [...arrived].filter(([, ids]) => new Set(ids).size > 1).map(([name]) => name),
    afterDeletion: [...arrivals(receiver, '/deleted').keys()].filter((name) => name.startsWith('after-deletion'))
  }
}
