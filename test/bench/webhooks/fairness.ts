/**
 * Nine healthy endpoints under a load that is never over, alone and beside a dead
 * one: each event goes to all of them. The dead one takes connections and never answers.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Measurement } from './measurement.ts'
import { median } from './measurement.ts'
import { Receiver } from './receiver.ts'
import { WebhookApp } from './webhook-app.ts'

const HEALTHY = 9
const LATENCY_MS = 20
const SECONDS = 4

/** @returns deliveries per second to the healthy ones */
async function rate(withDead: boolean): Promise<number> {
  const receiver = await Receiver.start()
  const app = await WebhookApp.start()
  const ids: string[] = []
  for (let index = 0; index < HEALTHY; index += 1) ids.push(await app.add(receiver.url(LATENCY_MS)))
  if (withDead) await app.add(receiver.url(null))
  const start = performance.now()
  while (performance.now() - start < SECONDS * 1000) {
    app.record(20)
    await wait(50)
  }
  const seconds = (performance.now() - start) / 1000
  const delivered = app.delivered(ids)
  await receiver.stop()
  await app.close()
  return delivered / seconds
}

async function measure(rounds: number): Promise<string[]> {
  const alone: number[] = []
  const beside: number[] = []
  for (let turn = 0; turn < Math.min(rounds, 5); turn += 1) {
    alone.push(await rate(false))
    beside.push(await rate(true))
  }
  const kept = `${((median(beside) / median(alone)) * 100).toFixed(0)} %`
  return [
    '| nine healthy endpoints of 20 ms | deliveries/s | kept | budget |',
    '|---|---:|---:|---:|',
    `| alone | ${median(alone).toFixed(0)} | | none |`,
    `| beside a dead one | ${median(beside).toFixed(0)} | ${kept} | >= 50 % |`
  ]
}

export const fairness: Measurement = { name: 'fairness', measure }
