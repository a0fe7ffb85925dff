/**
 * Repositories beside bare Kysely, bare `pg`, Drizzle, MikroORM and TypeORM: the same statements on the same table, in one
 * process, in interleaved rounds; wall-clock time, medians. Answers are compared first. Prints a Markdown
 * table.
 *
 *   npm run bench -- orm                                SQLite, 9 rounds of 2000
 *   npm run bench -- orm 5 500 postgres://user@host/db  and PostgreSQL, on an empty database
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkAnswers } from './answers.ts'
import type { Place, Side } from './side.ts'
import { barePg, ourSides, rival } from './sides.ts'

const [rounds = 9, calls = 2000] = process.argv.slice(2, 4).map(Number)
const postgres = process.argv[4]
const ROWS = 10_000
/** Callers at a time: one on SQLite, which answers before it returns, and as many as connections on PostgreSQL. */
const CALLERS = { sqlite: 1, postgres: 10 }
/** The part of the calls that a case makes which reads the whole table. */
const SHARES: Readonly<Record<string, number>> = { groups: 0.02 }
/** Most that svc may take beside the bare side, which is 1. */
const BUDGETS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  sqlite: { find: 1.42, insert: 1.25, list: 1.25, groups: 1.3, addStar: 1.3 },
  postgres: { find: 1.11, insert: 1.11, list: 1.11, groups: 1.3, addStar: 1.3 }
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-orm-'))
try {
  await compare({ engine: 'sqlite', target: join(folder, 'bench.db') })
  if (postgres === undefined) process.stdout.write('\nPostgreSQL was not measured: no URL was given\n')
  else await compare({ engine: 'postgres', target: postgres })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function compare(place: Place): Promise<void> {
  const { repository, kysely, fill } = await ourSides(place)
  const ids = await fill(ROWS)
  const bare = place.engine === 'sqlite' ? kysely : await barePg(place)
  // On SQLite, Kysely is the bare side.
  const others: [string, Side][] = [
    ...(place.engine === 'sqlite' ? [] : [['Kysely', kysely] satisfies [string, Side]]),
    ['Drizzle', await rival('drizzle', place)],
    ['MikroORM', await rival('mikro-orm', place)],
    ['TypeORM', await rival('typeorm', place)]
  ]
  const sides = new Map<string, Side>([['bare', bare], ['svc', repository], ...others])
  await checkAnswers(sides, ids)
  const name = place.engine === 'sqlite' ? 'bare Kysely' : 'bare pg'
  process.stdout.write(`\nNode ${process.versions.node}, ${place.engine}, ${rounds} rounds of ${calls} calls\n\n`)
  const headings = ['case', `${name}, us`, 'svc, us', 'ratio', 'budget', ...others.map(([other]) => `${other}, us`)]
  process.stdout.write(`| ${headings.join(' | ')} |\n|---|${'---:|'.repeat(headings.length - 1)}\n`)
  for (const [operation, call] of Object.entries(operations(ids))) {
    const times = await measure(sides, call, CALLERS[place.engine], Math.ceil(calls * (SHARES[operation] ?? 1)))
    const us = (side: string) => median(times.get(side) ?? [])
    const ratio = median(
      (times.get('svc') ?? []).map((time, round) => time / (times.get('bare')?.[round] ?? Number.NaN))
    )
    const cells = [
      us('bare').toFixed(1),
      us('svc').toFixed(1),
      ratio.toFixed(2),
      `<= ${BUDGETS[place.engine]?.[operation]}`
    ]
    const cellsOfOthers = others.map(([other]) => us(other).toFixed(1))
    process.stdout.write(`| ${[operation, ...cells, ...cellsOfOthers].join(' | ')} |\n`)
  }
  for (const side of [...sides.values()].reverse()) await side.close()
}

function operations(ids: readonly string[]): Record<string, (side: Side, index: number) => Promise<unknown>> {
  return {
    find: (side, index) => side.find(ids[(index * 7919) % ids.length] ?? ''),
    insert: (side, index) =>
      side.insert({ id: randomUUID(), title: `zz ${index}`, body: 'a body of some length '.repeat(20), stars: 5 }),
    list: (side, index) => side.list(index % 10),
    groups: (side) => side.groups(),
    // Last: it changes how many stars there are.
    addStar: (side, index) => side.addStar(ids[(index * 7919) % ids.length] ?? '')
  }
}

/** Microseconds per call, by side, one figure per round. The order of the sides turns; the first round only warms up. */
async function measure(
  sides: ReadonlyMap<string, Side>,
  call: (side: Side, index: number) => Promise<unknown>,
  callers: number,
  calls: number
): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map<string, number[]>([...sides.keys()].map((name) => [name, []]))
  for (let round = -1; round < rounds; round += 1) {
    const order = [...sides]
    for (const [name, side] of round % 2 === 0 ? order : order.reverse()) {
      const start = performance.now()
      let next = 0
      const worker = async () => {
        while (next < calls) {
          next += 1
          await call(side, next)
        }
      }
      await Promise.all(Array.from({ length: callers }, worker))
      if (round >= 0) times.get(name)?.push(((performance.now() - start) / calls) * 1000)
    }
  }
  return times
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
