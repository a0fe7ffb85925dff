/**
 * Measures raw Fastify and ours side by side: interleaved rounds, server CPU
 * time per request, ratio raw / ours of the medians. Prints a Markdown table.
 *
 *   npm run bench:http            7 rounds of 20000
 *   npm run bench:http -- 3 5000  3 rounds of 5000
 *   npm run bench:http -- 9 20000 denied   only the cases whose name has this word
 */
import { load } from './load.ts'
import { MeasuredChild } from './measured-child.ts'
import { type Scenario, scenarios } from './scenarios.ts'

const [rounds = 7, requests = 20_000] = process.argv.slice(2, 4).map(Number)
const word = process.argv[4] ?? ''

const raw = await MeasuredChild.start('./raw-server.js')
const ours = await MeasuredChild.start('./svc-server.js')
const rows: string[] = []
try {
  for (const scenario of scenarios.filter(({ name }) => name.includes(word))) rows.push(await row(scenario))
} finally {
  await Promise.all([raw.stop(), ours.stop()])
}

process.stdout.write(`Node ${process.versions.node}, ${rounds} interleaved rounds of ${requests} requests\n\n`)
process.stdout.write(
  '| case | raw Fastify, us CPU | svc, us CPU | ratio | spread | budget |\n|---|---:|---:|---:|---:|---:|\n'
)
process.stdout.write(`${rows.join('\n')}\n`)

async function row(scenario: Scenario): Promise<string> {
  for (const child of [raw, ours]) await load(child.port, scenario, requests)
  const samples: Array<{ raw: number; ours: number }> = []
  for (let round = 0; round < rounds; round += 1) {
    // The order alternates, so that neither side always runs on the warmer machine.
    const first = round % 2 === 0 ? await cost(raw, scenario) : await cost(ours, scenario)
    const second = round % 2 === 0 ? await cost(ours, scenario) : await cost(raw, scenario)
    samples.push(round % 2 === 0 ? { raw: first, ours: second } : { raw: second, ours: first })
  }
  const ratios = samples.map((sample) => sample.raw / sample.ours)
  const rawUs = median(samples.map((sample) => sample.raw))
  const oursUs = median(samples.map((sample) => sample.ours))
  const spread = `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`
  const cells = [scenario.name, rawUs.toFixed(2), oursUs.toFixed(2), (rawUs / oursUs).toFixed(3), spread]
  return `| ${[...cells, `>= ${scenario.budget}`].join(' | ')} |`
}

/** Microseconds of server CPU per request over one round. */
async function cost(child: MeasuredChild, scenario: Scenario): Promise<number> {
  const before = await child.read()
  await load(child.port, scenario, requests)
  const after = await child.read()
  return (after.cpuUs - before.cpuUs) / requests
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}
