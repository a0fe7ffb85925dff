/**
 * What a delivery costs until it is stored, in batches of a hundred: the queue alone, and from the record in the journal
 * on, beside the insert of an outbox written by hand. Nothing is sent meanwhile: the endpoints are those of nobody.
 */
import type { FastifyInstance } from 'fastify'
import type { NewJob } from 'svc-queue/driver'
import { anEntry } from 'svc-webhooks/conformance'
import { deliveriesStore } from 'svc-webhooks/stores'
import { type Engine, postgres, sqlite } from '../../measured/engines.ts'
import { type Measurement, median } from '../measurement.ts'
import { Receiver } from '../receiver.ts'
import { newMessages, openOutbox } from './outbox-sender.ts'
import { BATCH, ENDPOINTS } from './sender.ts'
import { durableApp } from './svc-sender.ts'

interface Sample {
  /** A delivery, us of wall-clock time. */
  readonly wall: number
  /** A delivery, us of CPU of this process. */
  readonly cpu: number
}

interface Case {
  readonly name: string
  readonly budget: string
  /** Makes one batch. @returns what stores it */
  readonly batch: () => () => Promise<void>
  readonly samples: Sample[]
}

async function measure(rounds: number, count: number): Promise<string[]> {
  const receiver = await Receiver.start()
  const engines = [
    { engine: sqlite(), budget: '<= 60 us' },
    { engine: await postgres(), budget: '<= 100 us' }
  ]
  const lines = [
    '| admission in batches of 100 | us a delivery | least - most | us CPU | beside the bare insert | budget |',
    '|---|---:|---:|---:|---:|---:|'
  ]
  try {
    for (const { engine, budget } of engines) {
      if (engine !== null) lines.push(...(await measureOn(engine, receiver.url(null), budget, rounds, count)))
    }
  } finally {
    await Promise.all(engines.map(({ engine }) => engine?.close()))
    await receiver.stop()
  }
  return lines
}

async function measureOn(
  engine: Engine,
  url: string,
  budget: string,
  rounds: number,
  count: number
): Promise<string[]> {
  const [own, other] = [await engine.fresh(), await engine.fresh()]
  const fastify = await durableApp(own)
  for (let index = 0; index < ENDPOINTS; index += 1) await fastify.webhooks.create({ url, events: ['login.*'] })
  const outbox = await openOutbox(other)
  const { store: queue } = fastify.stores.select(deliveriesStore, 'auto')
  if (queue === null) throw new Error('no queue')
  const bare: Case = {
    name: `bare insert, ${engine.name}`,
    budget: 'none',
    batch: () => {
      const messages = newMessages(BATCH)
      return () => outbox.insert(messages)
    },
    samples: []
  }
  const cases: Case[] = [
    bare,
    {
      name: `\`admit\` of the queue, ${engine.name}`,
      budget,
      batch: () => {
        const deliveries = newDeliveries()
        return async () => void (await queue.admit('bench', deliveries))
      },
      samples: []
    },
    { name: `recorded and stored, ${engine.name}`, budget, batch: () => () => recorded(fastify), samples: [] }
  ]
  for (let turn = -1; turn < rounds; turn += 1) {
    for (const each of turn % 2 === 0 ? cases : cases.toReversed()) {
      const sample = await sampleOf(each, count)
      if (turn >= 0) each.samples.push(sample)
    }
  }
  await fastify.close()
  await outbox.close()
  const base = median(bare.samples.map(({ wall }) => wall))
  return cases.map(({ name, budget: limit, samples }) => {
    const walls = samples.map(({ wall }) => wall)
    const spread = `${Math.min(...walls).toFixed(1)} - ${Math.max(...walls).toFixed(1)}`
    const cpu = median(samples.map((sample) => sample.cpu)).toFixed(1)
    return `| ${name} | ${median(walls).toFixed(1)} | ${spread} | ${cpu} | ${(median(walls) / base).toFixed(2)} | ${limit} |`
  })
}

async function sampleOf({ batch }: Case, count: number): Promise<Sample> {
  const batches = Array.from({ length: Math.ceil(count / BATCH / 4) }, batch)
  const before = process.cpuUsage()
  const began = performance.now()
  for (const store of batches) await store()
  const deliveries = batches.length * BATCH
  const wall = ((performance.now() - began) * 1000) / deliveries
  const { user, system } = process.cpuUsage(before)
  return { wall, cpu: (user + system) / deliveries }
}

function newDeliveries(): NewJob[] {
  return newMessages(BATCH / ENDPOINTS).flatMap(({ id }) => {
    const payload = JSON.stringify({ ...anEntry().event, id })
    return Array.from({ length: ENDPOINTS }, (_, index) => ({
      id: `${id}_${index}`,
      lane: `wh_${index}`,
      payload,
      held: false
    }))
  })
}

async function recorded(fastify: FastifyInstance): Promise<void> {
  for (let index = 0; index < BATCH / ENDPOINTS; index += 1) {
    fastify.audit.record({ category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' })
  }
  await fastify.audit.flushed()
}

export const admission: Measurement = { name: 'admission', measure }
