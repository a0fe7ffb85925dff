/**
 * Repositories beside bare Kysely, bare `pg`, Drizzle, MikroORM and TypeORM: the same questions of the same tables, in one
 * process, in interleaved rounds; medians, of CPU time on SQLite. Answers are compared first. Prints a Markdown
 * table; a side has a dash where it can ask only in SQL.
 *
 *   npm run bench -- orm                                SQLite, 9 rounds of 2000
 *   npm run bench -- orm 5 500 postgres://user@host/db  and PostgreSQL, on an empty database
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpu, wall } from '../measured/clock.ts'
import { checkAnswers } from './answers.ts'
import { median } from './compare.ts'
import type { Place, Side } from './side.ts'
import { openSides, type Sides } from './sides.ts'
import { CITIES, COURSES, type Filled, PURCHASES, STOCKS } from './tables.ts'

const [rounds = 9, calls = 2000] = process.argv.slice(2, 4).map(Number)
const postgres = process.argv[4]
/** Callers at a time: one on SQLite, which answers before it returns, and as many as connections on PostgreSQL. */
const CALLERS = { sqlite: 1, postgres: 10 }
/** Rows of one `upsertMany`, and of one `updateEach`. */
const MANY = 100
/** Most that svc may take beside the bare side, which is 1. */
const BUDGETS = {
  sqlite: { find: 1.42, insert: 1.25, list: 1.25 },
  postgres: { find: 1.11, insert: 1.11, list: 1.11 }
}
const BUDGET_OF_QUESTIONS = 1.3

interface Case {
  /** Of the budgets. */
  readonly name: string
  /** The part of the calls that is made, of what reads or writes many rows. */
  readonly share: number
  /** `undefined` where the side can say it in SQL alone. */
  ask(side: Side, index: number): Promise<unknown> | undefined
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-orm-'))
try {
  await compareSides({ engine: 'sqlite', target: join(folder, 'bench.db'), zone: 'UTC' })
  if (postgres === undefined) process.stdout.write('\nPostgreSQL was not measured: no URL was given\n')
  else await compareSides({ engine: 'postgres', target: postgres, zone: 'Europe/Berlin' })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function compareSides(place: Place): Promise<void> {
  const { engine, zone } = place
  const open = await openSides(place)
  const { sides, filled } = open
  await checkAnswers(open)
  process.stdout.write(`\nNode ${process.versions.node}, ${engine}, ${rounds} rounds of ${calls} calls\n\n`)
  const others = [...sides.keys()].filter((name) => name !== 'bare' && name !== 'svc')
  const bare = engine === 'sqlite' ? 'bare Kysely' : 'bare pg'
  const headings = ['case', `${bare}, us`, 'svc, us', 'ratio', 'budget', ...others.map((other) => `${other}, us`)]
  process.stdout.write(`| ${headings.join(' | ')} |\n|---|${'---:|'.repeat(headings.length - 1)}\n`)
  for (const each of cases(filled, zone)) {
    const times = await measure(sides, each, CALLERS[engine], engine === 'sqlite' ? cpu : wall)
    const us = (side: string) => median(times.get(side) ?? [])
    const shown = (side: string) => (times.has(side) ? us(side).toFixed(1) : '-')
    const ratio = median(
      (times.get('svc') ?? []).map((time, round) => time / (times.get('bare')?.[round] ?? Number.NaN))
    )
    const budgets: Readonly<Record<string, number>> = BUDGETS[engine]
    const cells = [shown('bare'), shown('svc'), ratio.toFixed(2), `<= ${budgets[each.name] ?? BUDGET_OF_QUESTIONS}`]
    process.stdout.write(`| ${[each.name, ...cells, ...others.map(shown)].join(' | ')} |\n`)
  }
  for (const side of [...sides.values()].reverse()) await side.close()
}

function cases({ articles, categories, stocks }: Filled, zone: string): readonly Case[] {
  const article = (index: number) => articles[(index * 7919) % articles.length] ?? ''
  const city = (index: number) => `t${index % CITIES}`
  const stock = (index: number) => ({ id: randomUUID(), sku: `s${(index * 7919) % STOCKS}`, amount: index % 1000 })
  return [
    { name: 'find', share: 1, ask: (side, index) => side.find(article(index)) },
    { name: 'insert', share: 1, ask: (side, index) => side.insert(newArticle(index)) },
    { name: 'list', share: 1, ask: (side, index) => side.list(index % 10) },
    { name: 'groups', share: 0.02, ask: (side) => side.groups() },
    { name: 'number of related rows', share: 0.1, ask: ({ questions }, index) => questions.counts?.(city(index)) },
    { name: 'newest three of each', share: 0.1, ask: ({ questions }, index) => questions.newest?.(city(index)) },
    {
      name: 'order by a related row',
      share: 0.05,
      ask: ({ questions }, index) => questions.ordered?.((index * 7919) % (PURCHASES - 1000))
    },
    { name: `groups by month, ${zone}`, share: 0.01, ask: ({ questions }) => questions.months?.() },
    { name: 'upsert', share: 1, ask: ({ questions }, index) => questions.upsert?.(stock(index)) },
    {
      name: `upsertMany, ${MANY} rows`,
      share: 0.02,
      ask: ({ questions }, index) =>
        questions.upsertMany?.(Array.from({ length: MANY }, (_, place) => stock(index * MANY + place)))
    },
    {
      name: `updateEach, ${MANY} rows`,
      share: 0.02,
      ask: ({ questions }, index) => questions.updateEach?.(amounts(stocks, index))
    },
    {
      name: 'search',
      share: 0.1,
      ask: ({ questions }, index) => questions.search?.(`word${index % 5}`, `word${5 + (index % 5)}`)
    },
    {
      name: 'rows below a row',
      share: 0.1,
      ask: ({ questions }, index) => questions.below?.(categories[index % categories.length] ?? '')
    },
    {
      name: 'find by a composite key',
      share: 1,
      ask: ({ questions }, index) => questions.pair?.(`c${index % COURSES}`, `s${(index * 37) % COURSES}`)
    },
    // Last: it changes how many stars there are.
    { name: 'addStar', share: 1, ask: (side, index) => side.addStar(article(index)) }
  ]
}

/** Rows that lie apart, each with an amount of its own. */
function amounts(stocks: readonly string[], index: number) {
  return Array.from({ length: MANY }, (_, place) => ({
    ...{ id: stocks[((index * MANY + place) * 7919) % stocks.length] ?? '', amount: (index + place) % 1000 }
  }))
}

function newArticle(index: number) {
  return { id: randomUUID(), title: `zz ${index}`, body: 'a body of some length '.repeat(20), stars: 5 }
}

/** Microseconds per call, by side, one figure per round. The order of the sides turns; the first round only warms up. */
async function measure(
  sides: Sides,
  { ask, share }: Case,
  callers: number,
  clock: () => number
): Promise<ReadonlyMap<string, readonly number[]>> {
  const asked = Math.ceil(calls * share)
  const able: [string, Side][] = []
  for (const [name, side] of sides) {
    const answer = ask(side, 0)
    if (answer === undefined) continue
    await answer
    able.push([name, side])
  }
  const times = new Map(able.map(([name]): [string, number[]] => [name, []]))
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, side] of round % 2 === 0 ? able : able.toReversed()) {
      const start = clock()
      let next = 0
      const worker = async () => {
        while (next < asked) {
          next += 1
          await ask(side, next)
        }
      }
      await Promise.all(Array.from({ length: callers }, worker))
      if (round >= 0) times.get(name)?.push((clock() - start) / asked)
    }
  }
  return times
}
