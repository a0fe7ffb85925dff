/**
 * Bursts of 5000 events to an endpoint that takes connections and never answers:
 * what is dropped, how many connections it sees, and what is left on the heap.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Measurement } from './measurement.ts'
import { Receiver } from './receiver.ts'
import { WebhookApp } from './webhook-app.ts'

const EVENTS = 5000
/** The journal keeps 10000 events: its own memory is full after these. */
const WARM_UP = 3
const MORE = 10

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

async function heapBytes(): Promise<number> {
  await wait(50)
  collect()
  return process.memoryUsage().heapUsed
}

async function measure(): Promise<string[]> {
  const receiver = await Receiver.start()
  const app = await WebhookApp.start()
  await app.add(receiver.url(null))
  const start = performance.now()
  app.record(EVENTS)
  const ns = ((performance.now() - start) * 1e6) / EVENTS
  const { dropped } = await app.queue()
  for (let burst = 1; burst < WARM_UP; burst += 1) app.record(EVENTS)
  const before = await heapBytes()
  for (let burst = 0; burst < MORE; burst += 1) {
    app.record(EVENTS)
    await wait(10)
  }
  const growth = (await heapBytes()) - before
  const connections = await receiver.mostConnections()
  const { size, inFlight } = await app.queue()
  await receiver.stop()
  await app.close()
  return [
    '| 5000 events in one burst to a dead endpoint | measured | budget |',
    '|---|---:|---:|',
    `| dropped by the first burst | ${dropped} | = 4000 |`,
    `| waiting and under way after ${WARM_UP + MORE} bursts | ${size + inFlight} | = 1000 |`,
    `| most connections at once | ${connections} | <= 8 |`,
    `| heap after ${MORE} more bursts | ${(growth / 1024).toFixed(0)} KB more | flat |`,
    `| recording an event of the first burst, journal included | ${ns.toFixed(0)} ns | none |`
  ]
}

export const burst: Measurement = { name: 'burst', measure }
