/** How much of what eight slots can carry to receivers of 50 ms is carried: 160 deliveries a second at most. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Measurement } from './measurement.ts'
import { median } from './median.ts'
import { Receiver } from './receiver.ts'
import { WebhookApp } from './webhook-app.ts'

const SLOTS = 8
const LATENCY_MS = 50
const ENDPOINTS = 4
/** Per round; all of them fit into the queue. */
const DELIVERIES = 640

async function round(receiver: Receiver): Promise<number> {
  const app = await WebhookApp.start({ maxConcurrent: SLOTS })
  for (let index = 0; index < ENDPOINTS; index += 1) await app.add(receiver.url(LATENCY_MS))
  const start = performance.now()
  app.record(DELIVERIES / ENDPOINTS)
  while (app.delivered() < DELIVERIES) await wait(1)
  const seconds = (performance.now() - start) / 1000
  await app.close()
  return DELIVERIES / seconds
}

async function measure(rounds: number): Promise<string[]> {
  const receiver = await Receiver.start()
  const rates: number[] = []
  for (let turn = 0; turn < rounds; turn += 1) rates.push(await round(receiver))
  await receiver.stop()
  const most = (SLOTS * 1000) / LATENCY_MS
  const percent = (rate: number) => `${((rate / most) * 100).toFixed(1)} %`
  return [
    '| 8 slots, receivers of 50 ms | deliveries/s | of 8/latency | least - most | budget |',
    '|---|---:|---:|---:|---:|',
    `| ${ENDPOINTS} endpoints | ${median(rates).toFixed(1)} | ${percent(median(rates))} | ${percent(Math.min(...rates))} - ${percent(Math.max(...rates))} | >= 95 % |`
  ]
}

export const throughput: Measurement = { name: 'throughput', measure }
