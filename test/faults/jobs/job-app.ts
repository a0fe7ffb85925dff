/**
 * An instance that adds and runs jobs, in a process of its own. `POST /add/:kind/:name` adds one within a transaction that
 * also stores an order, and is answered when both are stored. Each attempt reports its begin and its end to the referee.
 * The parent gives storage, clock and referee as JSON in the first argument.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import svcJobs from 'svc-jobs'
import type { Clock } from 'svc-kernel'
import svcOrm, { defineEntity } from 'svc-orm'
import svcStores from 'svc-stores'
import { storageDriver } from '../campaign/storage-driver.ts'
import { serveInstance } from '../serve-instance.ts'
import { redriving } from './operator.ts'

export interface JobAppSettings {
  /** `sqlite:`, `postgres://` or `mongodb://`. */
  readonly storage: string
  /** Where jobs wait in BullMQ; absent: where they are stored. */
  readonly redis?: string | undefined
  /** How much faster time runs for jobs, from this moment on (epoch ms), the same for all instances. */
  readonly fast: { readonly times: number; readonly since: number }
  /** How far its clock is off, ms. */
  readonly offMs: number
  /** URL of the referee. */
  readonly referee: string
}

/** Of the lane `paced`, in seconds of the clock of jobs. */
export const PACE = { max: 10, perS: 60, burst: 2 }

/** How long an attempt works, ms. */
const WORK_MS = 15
/** How many attempts of a shaky job fail. */
const SHAKY = 2

const Order = defineEntity({ name: 'Order', schema: { name: { type: 'string' } } })

/** The clock of all instances of a campaign, each off by its own. */
export function fastClock({ fast: { times, since }, offMs }: JobAppSettings): Clock {
  return {
    now: () => since + (Date.now() - since) * times + offMs,
    setTimeout: (work, ms) => setTimeout(work, ms / times).unref(),
    clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout)
  }
}

function shop({ referee }: JobAppSettings) {
  const tell = async (what: 'begin' | 'end' | 'stop', kind: string, name: string) => {
    const answer = await fetch(`${referee}/${what}/${process.pid}/${kind}/${name}`, { method: 'POST' })
    await answer.arrayBuffer()
  }
  const work = async (kind: string, name: string, signal: AbortSignal) => {
    signal.throwIfAborted()
    await tell('begin', kind, name)
    const ended = await sleep(WORK_MS, 'end' as const, { signal }).catch(() => 'stop' as const)
    await tell(ended, kind, name)
    signal.throwIfAborted()
  }
  return fp(async (fastify: FastifyInstance) => {
    const { jobs, orm } = fastify
    jobs.define('plain', { retries: 50 }, (body, { signal }) => work('plain', (body as { name: string }).name, signal))
    // By its number: where each process fails anew, kills double the wait of a job for longer than anyone looks.
    jobs.define('shaky', { retries: 50 }, async (body, { signal, attempt }) => {
      if (attempt <= SHAKY) throw new Error('the first attempts fail')
      await work('shaky', (body as { name: string }).name, signal)
    })
    jobs.define('unique', { retries: 50, unique: () => 'one' }, (body, { signal }) =>
      work('unique', (body as { name: string }).name, signal)
    )
    jobs.define('paced', { retries: 50 }, (body, { signal }) => work('paced', (body as { name: string }).name, signal))
    jobs.define('till', { retries: 50 }, (body, { signal }) => work('till', (body as { name: string }).name, signal))
    fastify.post<{ Params: { kind: string; name: string } }>('/add/:kind/:name', async ({ params: { kind, name } }) => {
      return orm.transaction(async (tx) => {
        await orm.repository(Order).withTransaction(tx).create({ name })
        return jobs.within(tx).add(kind, { name })
      })
    })
  })
}

async function queueOn(url: string, { times }: JobAppSettings['fast']) {
  const [{ Redis }, { bullmqQueue }] = await Promise.all([import('ioredis'), import('svc-bullmq')])
  const connection = new Redis(url, { maxRetriesPerRequest: 0 })
  // Each call that fails is logged by whoever made it.
  connection.on('error', () => undefined)
  const queue = bullmqQueue({ connection, name: 'jobs' })
  const settle = queue.settle.bind(queue)
  // BullMQ waits by the clock of the machine, in which a wait of the jobs' clock is as much shorter as that is faster.
  queue.settle = (worker, { retried, ...outcomes }) =>
    settle(worker, {
      ...outcomes,
      retried: retried.map((retry) => ({ ...retry, delayMs: Math.round(retry.delayMs / times) }))
    })
  return queue
}

/** The parts of svc-jobs. */
export async function jobParts(settings: JobAppSettings) {
  const { redis, fast } = settings
  return { clock: fastClock(settings), ...(redis !== undefined && { queue: await queueOn(redis, fast) }) }
}

async function run(settings: JobAppSettings): Promise<void> {
  const parts = await jobParts(settings)
  // BullMQ limits none.
  const lanes = settings.redis === undefined ? { till: { concurrent: 1 }, paced: { rate: PACE } } : {}
  await serveInstance(import.meta.url, [
    [svcOrm, { parts: { entities: [Order] } }],
    [svcStores, { parts: { clock: parts.clock } }],
    await storageDriver(settings.storage),
    [svcJobs, { maxConcurrent: 8, lanes, parts }],
    redriving(settings.referee),
    shop(settings)
  ])
}

const [, program, settings] = process.argv
if (settings !== undefined && import.meta.filename === program) await run(JSON.parse(settings) as JobAppSettings)
