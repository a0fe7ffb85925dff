/**
 * The same cases on a busy machine: requests injected without sockets, both sides in one process, in batches of 50 that
 * alternate. CPU time per request, and the ratio raw / ours of neighbouring batches: median and lowest eighth.
 *
 *   node test/dist/bench/http/injected.js              200 pairs of batches per case
 *   node test/dist/bench/http/injected.js 400 denied   400, only the cases whose name has this word
 */
import type { FastifyInstance, InjectOptions } from 'fastify'
import { fastify as keyed } from './keyed-server.ts'
import { addKey, fastify as raw } from './raw-server.ts'
import { type HttpScenario, scenarios } from './scenarios.ts'
import { fastify as plain } from './svc-server.ts'

const [pairs = '200', word = ''] = process.argv.slice(2)

const BATCH = 50
const WARM_UP = 30

const key = (await keyed.inject('/credentials')).body
addKey(key)
process.stdout.write(`Node ${process.versions.node}, ${pairs} pairs of batches of ${BATCH} injected requests\n\n`)
process.stdout.write(
  '| case | raw Fastify, us CPU | svc, us CPU | ratio | lowest eighth |\n|---|---:|---:|---:|---:|\n'
)
for (const scenario of scenarios) {
  const measurable = scenario.transport === 'http' && scenario.ingredient === undefined
  if (measurable && scenario.name.includes(word)) await measure(scenario)
}
await Promise.all([raw.close(), plain.close(), keyed.close()])

async function measure(scenario: HttpScenario): Promise<void> {
  const ours = scenario.server === 'keyed' ? keyed : plain
  const request = injectable(scenario)
  const samples: Array<{ raw: number; ours: number }> = []
  for (let pair = -WARM_UP; pair < Number(pairs); pair += 1) {
    const first = await cost(pair % 2 === 0 ? raw : ours, request, scenario)
    const second = await cost(pair % 2 === 0 ? ours : raw, request, scenario)
    if (pair >= 0) samples.push(pair % 2 === 0 ? { raw: first, ours: second } : { raw: second, ours: first })
  }
  const ratios = samples.map((sample) => sample.raw / sample.ours)
  const medians = (['raw', 'ours'] as const).map((side) =>
    quantile(
      samples.map((sample) => sample[side]),
      0.5
    ).toFixed(1)
  )
  const cells = [scenario.name, ...medians, quantile(ratios, 0.5).toFixed(3), quantile(ratios, 0.125).toFixed(3)]
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}

function injectable({ path, payload, key: presented }: HttpScenario): InjectOptions {
  const headers: Record<string, string> = { 'user-agent': 'bench/1.0 (node)', accept: 'application/json, text/plain' }
  if (presented) headers.authorization = `Bearer ${key}`
  if (payload === undefined) return { url: path, headers }
  return { method: 'POST', url: path, payload, headers: { ...headers, 'content-type': 'application/json' } }
}

/** Microseconds of CPU per request of one batch. */
async function cost(server: FastifyInstance, request: InjectOptions, { name, status }: HttpScenario): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < BATCH; count += 1) {
    const answer = await server.inject(request)
    if (answer.statusCode !== status) throw new Error(`${name}: expected ${status}, got ${answer.body}`)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / BATCH
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}
