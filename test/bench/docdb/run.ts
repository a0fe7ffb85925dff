/**
 * Repositories and the session store on documents, beside the bare driver and bare Mongoose: the same operations on
 * the same engine, in one process, in interleaved rounds; CPU time of this process and wall-clock time, medians.
 * Prints Markdown tables.
 *
 *   npm run bench -- docdb                                       the embedded engine, 9 rounds of 2000 calls
 *   DOCDB_TEST_URI=mongodb://host/ npm run bench -- docdb 5 500  a server
 */

import { anArticle, type Filled, openSides, type Side, type Sides } from './sides.ts'
import { startEngine } from './start-engine.ts'

const [rounds = 9, calls = 2000] = process.argv.slice(2, 4).map(Number)
const ROWS = 2000
const CALLERS = 8

type SideName = 'driver' | 'mongoose' | 'svc'

interface Comparison {
  readonly name: string
  readonly beside: Exclude<SideName, 'svc'>
  /** Most that svc may take beside the bare side, which is 1. */
  readonly atMost: number
  call(side: Side, index: number): Promise<unknown>
}

/** Microseconds per call. */
interface Cost {
  readonly cpu: number
  readonly wall: number
}

const engine = await startEngine(process.env.DOCDB_TEST_URI)
try {
  const sides = await openSides(engine.uri)
  try {
    const filled = await sides.fill(ROWS)
    process.stdout.write(
      `\nNode ${process.versions.node}, ${engine.name}, ${rounds} rounds of ${calls} calls by ${CALLERS} callers\n\n`
    )
    process.stdout.write('| case | bare, CPU us | svc, CPU us | ratio, CPU | ratio, wall | budget |\n')
    process.stdout.write('|---|---:|---:|---:|---:|---:|\n')
    for (const comparison of comparisons(filled)) process.stdout.write(`${await rowOf(comparison, sides)}\n`)
  } finally {
    await sides.close()
  }
} finally {
  await engine.stop()
}

function comparisons({ ids, refs }: Filled): Comparison[] {
  const find = (side: Side, index: number) => side.find(ids[(index * 7919) % ids.length] ?? '')
  const insert = (side: Side, index: number) => side.insert(anArticle(index))
  const resume = async (side: Side, index: number) => side.resume?.(refs[(index * 7919) % refs.length] ?? '')
  return [
    { name: 'find by id, bare Mongoose (lean)', beside: 'mongoose', atMost: 1.11, call: find },
    { name: 'find by id, bare driver', beside: 'driver', atMost: 1.42, call: find },
    { name: 'insert, bare Mongoose', beside: 'mongoose', atMost: 1.11, call: insert },
    { name: 'insert, bare driver', beside: 'driver', atMost: 1.42, call: insert },
    { name: 'session resume, bare driver', beside: 'driver', atMost: 1.3, call: resume }
  ]
}

async function rowOf({ name, beside, atMost, call }: Comparison, sides: Sides): Promise<string> {
  const bare: Cost[] = []
  const ours: Cost[] = []
  for (let round = -1; round < rounds; round += 1) {
    const order: [Side, Cost[]][] = [
      [sides[beside], bare],
      [sides.svc, ours]
    ]
    for (const [side, costs] of round % 2 === 0 ? order : order.reverse()) {
      const cost = await costOf((index) => call(side, index))
      if (round >= 0) costs.push(cost)
    }
  }
  const ratio = (of: keyof Cost) => median(ours.map((cost, round) => cost[of] / (bare[round]?.[of] ?? Number.NaN)))
  const cpu = (costs: readonly Cost[]) => median(costs.map((cost) => cost.cpu)).toFixed(1)
  const cells = [
    name,
    cpu(bare),
    cpu(ours),
    ratio('cpu').toFixed(2),
    ratio('wall').toFixed(2),
    `<= ${atMost.toFixed(2)}`
  ]
  return `| ${cells.join(' | ')} |`
}

async function costOf(call: (index: number) => Promise<unknown>): Promise<Cost> {
  const startCpu = process.cpuUsage()
  const start = performance.now()
  let next = 0
  const caller = async () => {
    while (next < calls) {
      next += 1
      await call(next)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  const wall = ((performance.now() - start) / calls) * 1000
  const { user, system } = process.cpuUsage(startCpu)
  return { cpu: (user + system) / calls, wall }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
