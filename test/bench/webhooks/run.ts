/**
 * Measures what webhooks cost. Prints Markdown tables.
 *
 *   npm run bench -- webhooks                   9 rounds of 20000 each
 *   npm run bench -- webhooks 3 4000            3 rounds of 4000
 *   npm run bench -- webhooks 9 20000 delivery  only the measurements of this name
 */
import { burst } from './burst.ts'
import { crowd } from './crowd.ts'
import { delivery } from './delivery.ts'
import { admission } from './durable/admission.ts'
import { million } from './durable/million.ts'
import { sustained } from './durable/sustained.ts'
import { emit } from './emit.ts'
import { fairness } from './fairness.ts'
import type { Measurement } from './measurement.ts'
import { throughput } from './throughput.ts'

const measurements: readonly Measurement[] = [
  emit,
  delivery,
  throughput,
  burst,
  fairness,
  crowd,
  admission,
  sustained,
  million
]

const [rounds = 9, count = 20_000] = process.argv.slice(2, 4).map(Number)
const chosen = measurements.filter(({ name }) => name.includes(process.argv[4] ?? ''))

process.stdout.write(`Node ${process.versions.node}, ${rounds} interleaved rounds of ${count}\n`)
for (const measurement of chosen) {
  process.stdout.write(`\n${(await measurement.measure(rounds, count)).join('\n')}\n`)
}
