/**
 * The same cases on a busy machine: requests injected without sockets, all sides in one process, in batches of 50 that take
 * turns. CPU time per request, and the ratios of neighbouring batches, svc divided by each yardstick: the median of both, and
 * the lowest eighth of the one by hand.
 *
 *   npm run bench -- injected              200 batches of each side per case
 *   npm run bench -- injected 400 refused  400, only the cases whose name has this word
 */
import type { FastifyInstance, InjectOptions } from 'fastify'
import { eachInTurn } from '../measured/in-turn.ts'
import { addKey as addBareKey, fastify as bare } from './bare-server.ts'
import { fastify as keyed } from './keyed-server.ts'
import { addKey, fastify as byHand } from './raw-server.ts'
import { type HttpScenario, scenarios } from './scenarios.ts'
import { fastify as plain } from './svc-server.ts'

const [batches = '200', word = ''] = process.argv.slice(2)

const BATCH = 50
const WARM_UP = 30

const key = (await keyed.inject('/credentials')).body
addKey(key)
addBareKey(key)
process.stdout.write(`Node ${process.versions.node}, ${batches} batches of ${BATCH} injected requests of each side\n\n`)
process.stdout.write(
  '| case | bare Fastify, us CPU | by hand, us CPU | svc, us CPU | beside bare | beside by hand | lowest eighth |\n' +
    '|---|---:|---:|---:|---:|---:|---:|\n'
)
for (const scenario of scenarios) {
  const measurable = scenario.transport === 'http' && scenario.ingredient === undefined
  if (measurable && scenario.name.includes(word)) await measure(scenario)
}
await Promise.all([bare.close(), byHand.close(), plain.close(), keyed.close()])

async function measure(scenario: HttpScenario): Promise<void> {
  const request = injectable(scenario)
  const svc = scenario.server === 'keyed' ? keyed : plain
  const sides = [bare, byHand, svc].map((server) => ({ server, costs: [] as number[] }))
  for (let round = -WARM_UP; round < Number(batches); round += 1) {
    await eachInTurn(sides, round + WARM_UP, async ({ server, costs }) => {
      const us = await cost(server, request, scenario)
      if (round >= 0) costs.push(us)
    })
  }
  const [least = [], hand = [], ours = []] = sides.map(({ costs }) => costs)
  const beside = (yardstick: readonly number[], share: number) =>
    quantile(
      ours.map((us, round) => us / (yardstick[round] as number)),
      share
    ).toFixed(2)
  const medians = [least, hand, ours].map((costs) => quantile(costs, 0.5).toFixed(1))
  const cells = [scenario.name, ...medians, beside(least, 0.5), beside(hand, 0.5), beside(hand, 0.125)]
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
