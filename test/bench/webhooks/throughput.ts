/**
 * How much of what eight slots can carry to receivers of 50 ms is carried: 160
 * deliveries a second at most. Beside it what eight bare requests at a time reach,
 * as timers and a busy machine take their part of both.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Measurement } from './measurement.ts'
import { median } from './measurement.ts'
import { Receiver } from './receiver.ts'
import { WebhookApp } from './webhook-app.ts'

const SLOTS = 8
const LATENCY_MS = 50
/** Numbers of endpoints that share the deliveries. */
const ENDPOINTS = [1, 4]
/** Per round; all of them fit into the queue. */
const DELIVERIES = 640

async function bare(receiver: Receiver): Promise<number> {
  const { origin, pathname: path } = new URL(receiver.url(LATENCY_MS))
  const pool = new Pool(origin, { connections: SLOTS })
  const worker = async () => {
    for (let sent = 0; sent < DELIVERIES / SLOTS; sent += 1) {
      const { body } = await pool.request({ method: 'POST', path, body: '{}' })
      await body.text()
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: SLOTS }, worker))
  const seconds = (performance.now() - start) / 1000
  await pool.close()
  return DELIVERIES / seconds
}

async function round(receiver: Receiver, endpoints: number): Promise<number> {
  const app = await WebhookApp.start({ maxConcurrent: SLOTS })
  for (let index = 0; index < endpoints; index += 1) await app.add(receiver.url(LATENCY_MS))
  const start = performance.now()
  app.record(DELIVERIES / endpoints)
  while (app.delivered() < DELIVERIES) await wait(1)
  const seconds = (performance.now() - start) / 1000
  await app.close()
  return DELIVERIES / seconds
}

async function measure(rounds: number): Promise<string[]> {
  const receiver = await Receiver.start()
  const cases = [
    { name: 'bare `Pool.request`', work: () => bare(receiver), budget: 'none', rates: [] as number[] },
    ...ENDPOINTS.map((count) => {
      return {
        name: `endpoints: ${count}`,
        work: () => round(receiver, count),
        budget: '>= 95 %',
        rates: [] as number[]
      }
    })
  ]
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const { work, rates } of turn % 2 === 0 ? cases : cases.toReversed()) rates.push(await work())
  }
  await receiver.stop()
  const most = (SLOTS * 1000) / LATENCY_MS
  const percent = (rate: number) => `${((rate / most) * 100).toFixed(1)} %`
  return [
    '| 8 slots, receivers of 50 ms | deliveries/s | of 8/latency | least - most | budget |',
    '|---|---:|---:|---:|---:|',
    ...cases.map(({ name, rates, budget }) => {
      const spread = `${percent(Math.min(...rates))} - ${percent(Math.max(...rates))}`
      return `| ${name} | ${median(rates).toFixed(1)} | ${percent(median(rates))} | ${spread} | ${budget} |`
    })
  ]
}

export const throughput: Measurement = { name: 'throughput', measure }
