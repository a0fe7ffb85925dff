/**
 * Measures the list that `svc create entity` writes beside one by hand on Fastify and Kysely: server CPU per
 * request, ratio generated / by hand of the medians, on embedded SQLite. Prints a Markdown table.
 *
 *   npm run bench -- crud          3 starts, 5 rounds of 2000 requests each
 *   npm run bench -- crud 1 3 500  1 start, 3 rounds of 500
 */
import { load } from '../measured/load.ts'
import { MeasuredChild } from '../measured/measured-child.ts'
import type { Scenario } from '../measured/scenario.ts'

const [starts = 3, rounds = 5, requests = 2000] = process.argv.slice(2, 5).map(Number)

const lists: readonly Scenario[] = [
  ['25 of 1000 rows', '/api/articles'],
  ['1 row', '/api/articles?limit=1'],
  ['a filter, 20 rows', '/api/articles?reads=7']
].map(([name = '', path = '']) => ({ name, path, transport: 'http', status: 200 }))

const samples = lists.map(() => ({ byHand: [] as number[], generated: [] as number[] }))
for (let start = 0; start < starts; start += 1) await measurePair()

process.stdout.write(
  `Node ${process.versions.node}, ${starts} starts, ${rounds} rounds of ${requests} requests each\n\n`
)
process.stdout.write('| list | by hand, us CPU | generated, us CPU | ratio | budget |\n|---|---:|---:|---:|---:|\n')
for (const [index, { name }] of lists.entries()) {
  const [byHand, generated] = [median(samples[index]?.byHand), median(samples[index]?.generated)]
  const cells = [name, byHand.toFixed(0), generated.toFixed(0), (generated / byHand).toFixed(2), '<= 1.17']
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}

async function measurePair(): Promise<void> {
  const byHand = await MeasuredChild.start('../crud/handwritten-server.js')
  const generated = await MeasuredChild.start('../crud/generated-server.js')
  try {
    for (const [index, list] of lists.entries()) {
      await cost(byHand, list)
      await cost(generated, list)
      for (let round = 0; round < rounds; round += 1) {
        samples[index]?.byHand.push(await cost(byHand, list))
        samples[index]?.generated.push(await cost(generated, list))
      }
    }
  } finally {
    await Promise.all([byHand.stop(), generated.stop()])
  }
}

/** Microseconds of server CPU per request over one round. */
async function cost(child: MeasuredChild, list: Scenario): Promise<number> {
  const before = await child.read()
  await load(child.port, list, requests)
  const after = await child.read()
  return (after.cpuUs - before.cpuUs) / requests
}

function median(values: readonly number[] = []): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
