/**
 * Measures svc beside two yardsticks: the same application by hand on Fastify, with its plugins and a record of refusals, and
 * the least that Fastify can do. Server CPU time per request; ratios are the cost of svc divided by that of a yardstick.
 * The servers are started several times, as one process differs from the next by more than one round from another, and
 * their rounds are interleaved. Prints a Markdown table.
 *
 *   npm run bench -- http                    5 starts, 5 rounds of 20000 requests each
 *   npm run bench -- http 2 3 5000           2 starts, 3 rounds of 5000
 *   npm run bench -- http 5 5 20000 refused  only the cases whose name has this word
 */
import { eachInTurn } from '../measured/in-turn.ts'
import { load } from '../measured/load.ts'
import { MeasuredChild } from '../measured/measured-child.ts'
import type { Scenario } from '../measured/scenario.ts'
import { type HttpScenario, scenarios } from './scenarios.ts'

const SIDES = ['bare', 'byHand', 'svc'] as const
type Side = (typeof SIDES)[number]

const [starts = 5, rounds = 5, requests = 20_000] = process.argv.slice(2, 5).map(Number)
const chosen = scenarios.filter(({ name }) => name.includes(process.argv[5] ?? ''))
const samples = new Map(
  chosen.map((scenario) => [scenario, { bare: [] as number[], byHand: [] as number[], svc: [] as number[] }])
)

for (let start = 0; start < starts; start += 1) await measureOnce()

process.stdout.write(
  `Node ${process.versions.node}, ${starts} starts, ${rounds} rounds of ${requests} requests each\n\n`
)
process.stdout.write(
  '| case | bare Fastify, us CPU | by hand, us CPU | svc, us CPU | beside bare | beside by hand | middle half | budget |\n' +
    '|---|---:|---:|---:|---:|---:|---:|---:|\n'
)
for (const scenario of chosen) process.stdout.write(`${row(scenario)}\n`)

async function measureOnce(): Promise<void> {
  const keyed = await MeasuredChild.start('../http/keyed-server.js')
  const key = await (await fetch(`http://127.0.0.1:${keyed.port}/credentials`)).text()
  const bare = await MeasuredChild.start('../http/bare-server.js', key)
  const byHand = await MeasuredChild.start('../http/raw-server.js', key)
  const plain = await MeasuredChild.start('../http/svc-server.js')
  try {
    for (const scenario of chosen) {
      const { ingredient, server } = scenario
      const asked = scenario.key ? { ...scenario, headers: [`authorization: Bearer ${key}`] } : scenario
      const ours = server === 'keyed' ? keyed : plain
      const measures: Readonly<Record<Side, () => Promise<number>>> = {
        bare: () => cost(bare, asked),
        byHand: () => cost(byHand, asked),
        svc: () => (ingredient ? cost(byHand, { ...asked, path: ingredient }) : cost(ours, asked))
      }
      for (const side of SIDES) await measures[side]()
      for (let round = 0; round < rounds; round += 1) {
        await eachInTurn(SIDES, round, async (side) => {
          samples.get(scenario)?.[side].push(await measures[side]())
        })
      }
    }
  } finally {
    await Promise.all([bare.stop(), byHand.stop(), plain.stop(), keyed.stop()])
  }
}

/** Microseconds of server CPU per request over one round. */
async function cost(child: MeasuredChild, scenario: Scenario): Promise<number> {
  const before = await child.read()
  await load(child.port, scenario, requests)
  const after = await child.read()
  return (after.cpuUs - before.cpuUs) / requests
}

function row(scenario: HttpScenario): string {
  const { bare = [], byHand = [], svc = [] } = samples.get(scenario) ?? {}
  const ratios = svc.map((ours, round) => ours / (byHand[round] as number))
  const medians = [bare, byHand, svc].map((values) => quantile(values, 0.5))
  const [least = Number.NaN, hand = Number.NaN, ours = Number.NaN] = medians
  const cells = [
    scenario.name,
    ...medians.map((us) => us.toFixed(2)),
    (ours / least).toFixed(2),
    (ours / hand).toFixed(2),
    `${quantile(ratios, 0.25).toFixed(2)}-${quantile(ratios, 0.75).toFixed(2)}`,
    scenario.budget === undefined ? 'none' : `<= ${scenario.budget}`
  ]
  return `| ${cells.join(' | ')} |`
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}
