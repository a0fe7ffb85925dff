/**
 * What a job costs without a database, beside a call of its work, in time of the processor: adding it, and all until it has
 * begun. Jobs are added one by one, and a thousand in one call. Those that have ended stay, as they do for a week.
 *
 *   npm run bench -- jobs memory          9 rounds
 */
import Fastify from 'fastify'
import svcJobs from 'svc-jobs'
import { median } from './rates.ts'

/** Jobs of one measurement. */
const JOBS = 1_000

export async function measureMemory(rounds = 9): Promise<void> {
  const fastify = Fastify()
  await fastify.register(svcJobs, { store: 'memory', maxConcurrent: 100 })
  let [begun, sum] = [0, 0]
  const work = (value: number) => {
    begun += 1
    sum += value
  }
  fastify.jobs.define('bench', {}, (body) => work((body as { value: number }).value))
  await fastify.ready()
  const { jobs } = fastify
  const values = Array.from({ length: JOBS }, (_, value) => value)
  const cases: readonly (readonly [name: string, add: () => Promise<unknown> | unknown])[] = [
    ['a call', () => values.forEach(work)],
    [
      'jobs, one by one',
      async () => {
        for (const value of values) await jobs.add('bench', { value })
      }
    ],
    [
      'jobs, a thousand in one call',
      () =>
        jobs.addMany(
          'bench',
          values.map((value) => ({ value }))
        )
    ]
  ]
  const took = cases.map(() => ({ add: [] as number[], whole: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, [, add]] of cases.entries()) {
      begun = 0
      const began = process.cpuUsage()
      await add()
      const added = microseconds(process.cpuUsage(began))
      while (begun < JOBS) await new Promise(setImmediate)
      took[index]?.add.push(added / JOBS)
      took[index]?.whole.push(microseconds(process.cpuUsage(began)) / JOBS)
    }
  }
  await fastify.close()
  process.stdout.write(`\nNode ${process.versions.node}, in memory, ${rounds} rounds of ${JOBS} (${sum})\n\n`)
  process.stdout.write('| | added, us each | added and run, us each |\n|---|---:|---:|\n')
  for (const [index, [name]] of cases.entries()) {
    const { add = [], whole = [] } = took[index] ?? {}
    process.stdout.write(`| ${name} | ${median(add).toFixed(2)} | ${median(whole).toFixed(2)} |\n`)
  }
}

function microseconds({ user, system }: NodeJS.CpuUsage): number {
  return user + system
}
