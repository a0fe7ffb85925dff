/**
 * An outage, through repositories and through bare Mongoose: the same server stops and starts under both at once, while
 * callers of either insert one row after another. Measured from the moment the server takes connections again: how long
 * until the first good answer, and how many calls failed. Both keep their own defaults. Prints a Markdown table.
 *
 *   npm run bench -- docdb-outage  the embedded engine in a process of its own, killed; 5 rounds
 *   DOCDB_TEST_URI=mongodb://host/ DOCDB_STOP='...' DOCDB_START='...' npm run bench -- docdb-outage 5
 *                                                  a server that these shell commands stop and start
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type OutageServer, outageServer } from './outage-server.ts'
import { anArticle, openSides } from './sides.ts'

const rounds = Number(process.argv[2] ?? 5)
const OUTAGES_MS = [500, 3500]
const CALLERS = 4
/** Long enough for any client to be back. */
const RECOVERY_MS = 20_000

/** One side during one outage. */
interface Observed {
  errors: number
  /** When a call was answered well after the server was back, and `null` before. */
  answeredAt: number | null
}

interface Outcome {
  readonly firstMs: number
  readonly errors: number
}

const server = await outageServer(process.env)
try {
  await server.start()
  const sides = await openSides(server.uri)
  try {
    process.stdout.write(
      `\nNode ${process.versions.node}, ${server.name}, ${rounds} rounds, ${CALLERS} callers a side\n\n`
    )
    process.stdout.write(
      '| outage | first answer, bare Mongoose, ms | svc, ms | ratio | errors, bare | svc | budget |\n'
    )
    process.stdout.write('|---:|---:|---:|---:|---:|---:|---:|\n')
    for (const outageMs of OUTAGES_MS) process.stdout.write(`${await rowOf(outageMs)}\n`)
  } finally {
    await sides.close()
  }

  async function rowOf(outageMs: number): Promise<string> {
    const bare: Outcome[] = []
    const ours: Outcome[] = []
    for (let round = 0; round < rounds; round += 1) {
      const [first, second] = await outage(server, outageMs, [
        (index) => sides.mongoose.insert(anArticle(index)),
        (index) => sides.svc.insert(anArticle(index))
      ])
      if (first === undefined || second === undefined) throw new Error('a side did not come back')
      bare.push(first)
      ours.push(second)
    }
    const firstMs = [bare, ours].map((outcomes) => median(outcomes.map((each) => each.firstMs)))
    const errors = [bare, ours].map((outcomes) => median(outcomes.map((each) => each.errors)))
    const ratio = (firstMs[1] ?? Number.NaN) / (firstMs[0] ?? Number.NaN)
    const cells = [`${outageMs} ms`, ...firstMs.map((ms) => ms.toFixed(0)), ratio.toFixed(2), ...errors, '<= 1.50']
    return `| ${cells.join(' | ')} |`
  }
} finally {
  await server.end()
}

/** All sides through one outage of the server. */
async function outage(
  { stop, start }: OutageServer,
  outageMs: number,
  inserts: readonly ((index: number) => Promise<unknown>)[]
): Promise<Outcome[]> {
  let running = true
  let backAt = Number.POSITIVE_INFINITY
  const observed = inserts.map((): Observed => ({ errors: 0, answeredAt: null }))
  const call = async (insert: (index: number) => Promise<unknown>, side: Observed): Promise<void> => {
    for (let index = 0; running; index += 1) {
      try {
        await insert(index)
        const now = performance.now()
        if (now >= backAt) side.answeredAt ??= now
        else await pause(2)
      } catch {
        side.errors += 1
        await pause(10)
      }
    }
  }
  const callers = inserts.flatMap((insert, index) =>
    Array.from({ length: CALLERS }, () => call(insert, observed[index] as Observed))
  )
  await pause(500)
  await stop()
  await pause(outageMs)
  await start()
  backAt = performance.now()
  while (observed.some(({ answeredAt }) => answeredAt === null) && performance.now() < backAt + RECOVERY_MS)
    await pause(5)
  running = false
  await Promise.all(callers)
  return observed.map(({ errors, answeredAt }) => ({
    errors,
    firstMs: (answeredAt ?? Number.POSITIVE_INFINITY) - backAt
  }))
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
