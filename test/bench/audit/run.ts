/**
 * Measures what recording an audit event costs beside the bare ring buffer that
 * holds it: time and allocated bytes per event, interleaved rounds, medians.
 * The young generation is large enough that no collection falls into a round.
 *
 *   npm run bench -- audit          15 rounds of 100000
 *   npm run bench -- audit 5 20000  5 rounds of 20000
 */
import { type Case, cases } from './cases.ts'

const [rounds = 15, events = 100_000] = process.argv.slice(2).map(Number)
const collect = globalThis.gc
if (collect === undefined) throw new Error('run with --expose-gc, as npm run bench -- audit does')

interface Sample {
  readonly ns: number
  readonly bytes: number
}

const measured = cases().map((one) => ({ one, samples: [] as Sample[] }))
for (const { one } of measured) round(one)
for (let turn = 0; turn < rounds; turn += 1) {
  // The order turns, so that none always runs on the warmer machine.
  for (let step = 0; step < measured.length; step += 1) {
    const entry = measured[(turn + step) % measured.length]
    entry?.samples.push(round(entry.one))
  }
}

process.stdout.write(`Node ${process.versions.node}, ${rounds} interleaved rounds of ${events} events\n\n`)
process.stdout.write('| case | ns per event | spread | bytes allocated per event |\n|---|---:|---:|---:|\n')
for (const { one, samples } of measured) {
  const times = samples.map(({ ns }) => ns)
  const spread = `${Math.round(Math.min(...times))}-${Math.round(Math.max(...times))}`
  const bytes = Math.round(median(samples.map((sample) => sample.bytes)))
  process.stdout.write(`| ${one.name} | ${Math.round(median(times))} | ${spread} | ${bytes} |\n`)
}

function round({ work }: Case): Sample {
  collect?.()
  const bytes = process.memoryUsage().heapUsed
  const start = process.hrtime.bigint()
  for (let index = 0; index < events; index += 1) work(index)
  const ns = Number(process.hrtime.bigint() - start)
  return { ns: ns / events, bytes: (process.memoryUsage().heapUsed - bytes) / events }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}
