/**
 * How long one endpoint that answers takes for 50 events with many beside it that take
 * connections and never answer: with the defaults, whose queue and slots all of them share.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Measurement } from './measurement.ts'
import { median } from './measurement.ts'
import { Receiver } from './receiver.ts'
import { WebhookApp } from './webhook-app.ts'

const EVENTS = 50
const LATENCY_MS = 20
/** Numbers of endpoints that hang. */
const DEAD = [0, 4, 50]

/** @returns milliseconds from the first event to the last answer of the endpoint that is well */
async function time(dead: number): Promise<number> {
  const receiver = await Receiver.start()
  const app = await WebhookApp.start()
  const well = [await app.add(receiver.url(LATENCY_MS))]
  app.record(1)
  while (app.delivered(well) < 1) await wait(1)
  for (let index = 0; index < dead; index += 1) await app.add(receiver.url(null))
  const start = performance.now()
  app.record(EVENTS)
  while (app.delivered(well) < 1 + EVENTS) await wait(1)
  const took = performance.now() - start
  await receiver.stop()
  await app.close()
  return took
}

async function measure(rounds: number): Promise<string[]> {
  const cases = DEAD.map((dead) => ({ dead, times: [] as number[] }))
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const { dead, times } of turn % 2 === 0 ? cases : cases.toReversed()) times.push(await time(dead))
  }
  const alone = median(cases[0]?.times ?? [])
  return [
    '| 50 events to an endpoint of 20 ms | ms | least - most | beside alone | budget |',
    '|---|---:|---:|---:|---:|',
    ...cases.map(({ dead, times }) => {
      const spread = `${Math.min(...times).toFixed(0)} - ${Math.max(...times).toFixed(0)}`
      const name = dead === 0 ? 'alone' : `beside ${dead} that never answer`
      const ratio = (median(times) / alone).toFixed(2)
      return `| ${name} | ${median(times).toFixed(0)} | ${spread} | ${ratio} | ${dead === 0 ? 'none' : '<= 2.00'} |`
    })
  ]
}

export const crowd: Measurement = { name: 'crowd', measure }
