/**
 * One process with both builds: batches of requests that alternate between them, whose order turns. Arguments are the
 * folders of the two checkouts in the order of loading, the number of pairs of batches, and the names of the cases.
 * Sends what each case measured: CPU time of the batches of the first build and of the second.
 */
import { type Build, loadBuild } from './build.ts'
import { CASES, type InProcessCase } from './in-process-cases.ts'
import type { OpenCase } from './open-case.ts'

const BATCH = 50
const WARM_UP = 30

const [first = '', second = '', pairs = '0', ...names] = process.argv.slice(2)
const builds = [await loadBuild(first), await loadBuild(second)] as const

for (const one of CASES.filter(({ name }) => names.includes(name))) {
  process.send?.({ name: one.name, pairs: await measure(one, builds) })
}
process.disconnect()

async function measure(one: InProcessCase, [first, second]: readonly [Build, Build]) {
  const sides = [await one.open(first), await one.open(second)] as const
  const taken: Array<readonly [first: number, second: number]> = []
  try {
    for (let pair = -WARM_UP; pair < Number(pairs); pair += 1) {
      const costs = turned(pair + WARM_UP) ? (await inOrder(sides.toReversed())).toReversed() : await inOrder(sides)
      if (pair >= 0) taken.push([costs[0] as number, costs[1] as number])
    }
  } finally {
    for (const side of sides) await side.close()
  }
  return taken
}

/**
 * The sequence of Thue and Morse: whether the number has an odd count of ones. An order that simply alternates repeats every
 * four batches, and a garbage collection that comes as often would always meet the same side.
 */
function turned(pair: number): boolean {
  let odd = false
  for (let rest = pair; rest > 0; rest >>= 1) odd = odd !== ((rest & 1) === 1)
  return odd
}

async function inOrder(sides: readonly OpenCase[]): Promise<number[]> {
  const costs: number[] = []
  for (const side of sides) {
    const before = process.cpuUsage()
    await side.run(side.batch ?? BATCH)
    const { user, system } = process.cpuUsage(before)
    costs.push(user + system)
  }
  return costs
}
