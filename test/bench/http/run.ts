/**
 * Measures raw Fastify and ours side by side: server CPU time per request,
 * ratio raw / ours of the medians. Both servers are started several times, as
 * one process differs from the next by more than one round from another, and
 * the rounds of each pair are interleaved. Prints a Markdown table.
 *
 *   npm run bench:http                      5 starts, 5 rounds of 20000 requests each
 *   npm run bench:http -- 2 3 5000          2 starts, 3 rounds of 5000
 *   npm run bench:http -- 5 5 20000 denied  only the cases whose name has this word
 */
import { load } from '../measured/load.ts'
import { MeasuredChild } from '../measured/measured-child.ts'
import type { Scenario } from '../measured/scenario.ts'
import { scenarios } from './scenarios.ts'

interface Sample {
  readonly raw: number
  readonly ours: number
}

const [starts = 5, rounds = 5, requests = 20_000] = process.argv.slice(2, 5).map(Number)
const chosen = scenarios.filter(({ name }) => name.includes(process.argv[5] ?? ''))
const samples = new Map<Scenario, Sample[]>(chosen.map((scenario) => [scenario, []]))

for (let start = 0; start < starts; start += 1) await measurePair()

process.stdout.write(
  `Node ${process.versions.node}, ${starts} starts, ${rounds} rounds of ${requests} requests each\n\n`
)
process.stdout.write('| case | raw Fastify, us CPU | svc, us CPU | ratio | middle half | budget |\n')
process.stdout.write('|---|---:|---:|---:|---:|---:|\n')
for (const scenario of chosen) process.stdout.write(`${row(scenario)}\n`)

async function measurePair(): Promise<void> {
  const keyed = await MeasuredChild.start('../http/keyed-server.js')
  const key = await (await fetch(`http://127.0.0.1:${keyed.port}/credentials`)).text()
  const raw = await MeasuredChild.start('../http/raw-server.js', key)
  const plain = await MeasuredChild.start('../http/svc-server.js')
  try {
    for (const scenario of chosen) {
      const { ingredient, server } = scenario
      const asked = scenario.key ? { ...scenario, headers: [`authorization: Bearer ${key}`] } : scenario
      const ours = server === 'keyed' ? keyed : plain
      const base = () => cost(raw, asked)
      const measured = () => (ingredient ? cost(raw, { ...asked, path: ingredient }) : cost(ours, asked))
      await base()
      await measured()
      for (let round = 0; round < rounds; round += 1) samples.get(scenario)?.push(await pair(base, measured, round))
    }
  } finally {
    await Promise.all([raw.stop(), plain.stop(), keyed.stop()])
  }
}

/** The order alternates, so that neither side always runs on the warmer machine. */
async function pair(base: () => Promise<number>, measured: () => Promise<number>, round: number): Promise<Sample> {
  if (round % 2 === 0) return { raw: await base(), ours: await measured() }
  const ours = await measured()
  return { raw: await base(), ours }
}

/** Microseconds of server CPU per request over one round. */
async function cost(child: MeasuredChild, scenario: Scenario): Promise<number> {
  const before = await child.read()
  await load(child.port, scenario, requests)
  const after = await child.read()
  return (after.cpuUs - before.cpuUs) / requests
}

function row(scenario: Scenario): string {
  const pairs = samples.get(scenario) ?? []
  const ratios = pairs.map((sample) => sample.raw / sample.ours)
  const raw = quantile(
    pairs.map((sample) => sample.raw),
    0.5
  )
  const ours = quantile(
    pairs.map((sample) => sample.ours),
    0.5
  )
  const middle = `${quantile(ratios, 0.25).toFixed(2)}-${quantile(ratios, 0.75).toFixed(2)}`
  const cells = [
    scenario.name,
    raw.toFixed(2),
    ours.toFixed(2),
    (raw / ours).toFixed(3),
    middle,
    scenario.budget === undefined ? 'none' : `>= ${scenario.budget}`
  ]
  return `| ${cells.join(' | ')} |`
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}
