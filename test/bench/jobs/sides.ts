/** Jobs of svc on two engines, and BullMQ, pg-boss and graphile-worker beside them, each as its guide sets it up for speed. */
import { once } from 'node:events'
import { Queue, Worker } from 'bullmq'
import Fastify from 'fastify'
import svcJobs from 'svc-jobs'
import svcSqlorm from 'svc-sqlorm'
import type { Engine } from '../measured/engines.ts'
import type { NamedSide, Side } from './side.ts'

export interface Engines {
  readonly sqlite: Engine
  readonly postgres: Engine | null
  readonly redis: Engine | null
}

/** Those whose server is installed. The first is compared with the others. */
export function sidesOf({ sqlite, postgres, redis }: Engines): NamedSide[] {
  const sides: NamedSide[] = []
  if (postgres !== null) {
    const rival = async (name: string, options: object = {}) =>
      openRival(name, { url: await postgres.fresh(), ...options })
    sides.push(
      { name: 'svc on PostgreSQL', history: true, open: async () => ours(await postgres.fresh()) },
      { name: 'pg-boss', history: true, open: () => rival('pg-boss') },
      { name: 'graphile-worker', history: false, open: () => rival('graphile-worker') },
      { name: 'graphile-worker, local queue', history: false, open: () => rival('graphile-worker', { fast: true }) }
    )
  }
  sides.push({ name: 'svc on SQLite', history: true, open: async () => ours(await sqlite.fresh()) })
  if (redis !== null)
    sides.push({ name: 'BullMQ on Redis', history: true, open: async () => bullmq(await redis.fresh()) })
  return sides
}

export async function ours(url: string): Promise<Side> {
  let begun: (value: number) => void = () => undefined
  let maxConcurrent = 0
  const application = async (run: boolean) => {
    const fastify = Fastify()
    await fastify.register(svcSqlorm, { connectors: { default: { url } } })
    await fastify.register(svcJobs, { run, ...(run && { maxConcurrent }) })
    fastify.jobs.define('bench', {}, (body) => begun((body as { value: number }).value))
    await fastify.ready()
    return fastify
  }
  const adder = await application(false)
  let jobs = adder.jobs
  return {
    add: async (value) => void (await jobs.add('bench', { value })),
    addMany: async (values) =>
      void (await jobs.addMany(
        'bench',
        values.map((value) => ({ value }))
      )),
    async work(concurrency, run) {
      begun = run
      maxConcurrent = concurrency
      const worker = await application(true)
      jobs = worker.jobs
      return () => {
        jobs = adder.jobs
        return worker.close()
      }
    },
    close: () => adder.close()
  }
}

async function bullmq(url: string): Promise<Side> {
  const connection = { url, maxRetriesPerRequest: null }
  const queue = new Queue('bench', { connection })
  await queue.waitUntilReady()
  return {
    add: async (value) => void (await queue.add('bench', { value })),
    addMany: async (values) => void (await queue.addBulk(values.map((value) => ({ name: 'bench', data: { value } })))),
    async work(concurrency, run) {
      const worker = new Worker('bench', async ({ data }) => run((data as { value: number }).value), {
        connection,
        concurrency
      })
      worker.on('error', () => undefined)
      await worker.waitUntilReady()
      return () => worker.close()
    },
    close: () => queue.close()
  }
}

/** Kept apart from the packages of the repository, see `.config/job-rivals`. */
export async function openRival(name: string, options: object): Promise<Side> {
  const file = new URL(`../../../../.config/job-rivals/${name}.mjs`, import.meta.url)
  const module = (await import(file.href)) as { openSide(options: object): Promise<Side> }
  return module.openSide(options)
}

/** Resolves when `count` jobs have begun. */
export class Turnout {
  readonly #gate = new EventTarget()
  #begun = 0
  #wanted = Number.POSITIVE_INFINITY

  readonly begun = (): void => {
    this.#begun += 1
    if (this.#begun >= this.#wanted) this.#gate.dispatchEvent(new Event('full'))
  }

  async of(count: number): Promise<void> {
    this.#wanted = count
    if (this.#begun < count) await once(this.#gate, 'full')
  }
}
