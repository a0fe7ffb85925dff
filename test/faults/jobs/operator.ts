/**
 * What an operator does after a storm. A job during whose attempts three processes ended is parked, as one that ends its
 * process would be: `POST /redrive` puts those back, and tells the referee of each with its reason. `GET /open` says what is
 * known of those that have not ended.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Instance } from '../instance-process.ts'
import type { Referee } from './referee.ts'

const EVERY_MS = 10_000

/** @param referee its URL */
export function redriving(referee: string) {
  return fp(async (fastify: FastifyInstance) => {
    const { jobs } = fastify
    fastify.get('/open', async () => {
      const { items } = await jobs.list({ state: ['waiting', 'running'], limit: 100 })
      const open = await Promise.all(items.map(({ id }) => jobs.get(id)))
      return open.map(({ body, ...job }) => ({ ...job, key: `${job.name}/${(body as { name: string }).name}` }))
    })
    fastify.post('/redrive', async () => {
      const { items } = await jobs.list({ state: 'parked', limit: 100 })
      for (const { id, name, reason } of items) {
        const what = encodeURIComponent(`${name} ${id}: ${reason}`)
        const answer = await fetch(`${referee}/end/${process.pid}/parked/${what}`, { method: 'POST' })
        await answer.arrayBuffer()
      }
      if (items.length > 0) await jobs.redrive({ state: 'parked' })
      return {}
    })
  })
}

/** What the records say of jobs that are lost, as far as they can be read. */
export async function foundOf(instance: Instance, lost: readonly string[]): Promise<string[]> {
  if (lost.length === 0) return []
  const answer = await instance.ask('/open')
  const open = answer?.ok === true ? (JSON.parse(String(answer.body)) as { readonly key: string }[]) : []
  return lost.map((job) => `${job}: ${JSON.stringify(open.find(({ key }) => key === job) ?? 'no open record')}`)
}

/** Waits until nothing is lost, for a while. @returns the jobs that were parked, with their reasons */
export async function redriven(
  instance: Instance,
  referee: Referee,
  lost: () => readonly string[],
  patienceMs: number
): Promise<readonly string[]> {
  const end = performance.now() + patienceMs
  let next = performance.now() + EVERY_MS
  while (lost().length > 0 && performance.now() < end) {
    await sleep(100)
    if (performance.now() < next) continue
    await instance.post('/redrive')
    next = performance.now() + EVERY_MS
  }
  return [...referee.ended.keys()].filter((key) => key.startsWith('parked/')).map(decodeURIComponent)
}
