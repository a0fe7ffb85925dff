/** Whether all sides answer alike, before they are timed: a side that answers less is fast for nothing. */
import { deepEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Questions, Side } from './side.ts'
import type { OpenSides } from './sides.ts'
import type { Stocked } from './tables.ts'

const STARS = [0, 4, 9]

/** @throws AssertionError that names the side and the case. */
export async function checkAnswers({
  sides,
  filled: { articles, categories, stocks },
  stocked
}: OpenSides): Promise<void> {
  const [[id = ''], [top = '']] = [articles, categories]
  const first = sides.get('bare')
  if (first === undefined) throw new TypeError('No side is bare')
  for (const [name, side] of sides) {
    deepEqual(article(await side.find(id)), article(await first.find(id)), `${name}: find`)
    for (const stars of STARS) {
      const expected: readonly unknown[] = rowsOf(await first.list(stars)).map(article)
      deepEqual(rowsOf(await side.list(stars)).map(article), expected, `${name}: list`)
    }
    deepEqual(rowsOf(await side.groups()).map(group), rowsOf(await first.groups()).map(group), `${name}: groups`)
    const before = article(await first.find(id))
    await side.addStar(id)
    deepEqual(article(await first.find(id)), { ...before, stars: before.stars + 1 }, `${name}: addStar`)
    for (const [question, shown, ask] of reads(top)) {
      if (side.questions[question] === undefined) continue
      const own = rowsOf(await ask(side.questions)).map(shown)
      deepEqual(own, rowsOf(await ask(first.questions)).map(shown), `${name}: ${question}`)
    }
    await checkUpserts(name, side, stocked)
    await checkEach(name, side, stocks, stocked)
  }
}

type Read = readonly [
  question: keyof Questions,
  shown: (row: unknown) => unknown,
  ask: (questions: Questions) => Promise<unknown> | undefined
]

/** @param top a category above others */
function reads(top: string): readonly Read[] {
  return [
    ['counts', counted, ({ counts }) => counts?.('t7')],
    ['newest', withNewest, ({ newest }) => newest?.('t7')],
    ['ordered', purchase, ({ ordered }) => ordered?.(500)],
    ['months', month, ({ months }) => months?.()],
    ['search', page, ({ search }) => search?.('word2', 'word4')],
    // Sides differ in the order of a level.
    ['below', category, async ({ below }) => byId(await below?.(top))],
    ['pair', enrolment, async ({ pair }) => [await pair?.('c7', 's3')]]
  ]
}

function byId(answer: unknown): readonly unknown[] {
  return rowsOf(answer).toSorted((a, b) => (String(record(a).id) < String(record(b).id) ? -1 : 1))
}

/** A row that is there and one that is not, twice: each is there once, with the amount that came last. */
async function checkUpserts(name: string, { questions }: Side, stocked: Stocked): Promise<void> {
  const { upsert, upsertMany } = questions
  const rows = (skus: readonly string[], amount: number) => skus.map((sku) => ({ id: randomUUID(), sku, amount }))
  const [own, others] = [
    ['s1', `one of ${name}`],
    ['s2', `of ${name}`, 's3', `also of ${name}`]
  ]
  for (const amount of [101, 102]) {
    for (const row of upsert === undefined ? [] : rows(own, amount)) await upsert?.(row)
    if (upsert) deepEqual(await stocked(own), amounts(own, amount), `${name}: upsert`)
    await upsertMany?.(rows(others, amount))
    if (upsertMany) deepEqual(await stocked(others), amounts(others, amount), `${name}: upsertMany`)
  }
}

/** Two rows take an amount of their own, and the one between them keeps what it has. */
async function checkEach(
  name: string,
  { questions }: Side,
  stocks: readonly string[],
  stocked: Stocked
): Promise<void> {
  const [id5 = '', , id7 = ''] = stocks.slice(5)
  const skus = ['s5', 's6', 's7']
  for (const amount of questions.updateEach === undefined ? [] : [201, 301]) {
    await questions.updateEach?.([
      { id: id5, amount },
      { id: id7, amount: amount + 1 }
    ])
    const expected = [amount, 6, amount + 1].map((each, place) => ({ sku: skus[place], amount: each }))
    deepEqual(await stocked(skus), expected, `${name}: updateEach`)
  }
}

function amounts(skus: readonly string[], amount: number) {
  return skus.toSorted().map((sku) => ({ sku, amount }))
}

function rowsOf(answer: unknown): readonly unknown[] {
  if (!Array.isArray(answer) || answer.length === 0) throw new TypeError('The answer has no rows')
  return answer
}

/** Numbers: `pg` by itself gives a bigint as text. */
function article(row: unknown) {
  const { id, title, body, stars } = record(row)
  return { id, title, body, stars: Number(stars) }
}

function group(row: unknown) {
  const { stars, rows } = record(row)
  return { stars: Number(stars), rows: Number(rows) }
}

/** Repositories have numbers of related rows beside the fields. */
function counted(row: unknown) {
  const { id, name, city, purchases, counts } = record(row)
  return { id, name, city, purchases: Number(purchases ?? record(counts).purchases) }
}

function withNewest(row: unknown) {
  const { id, name, city, purchases } = record(row)
  const newest = rowsOf(purchases).map((each) => {
    const { id, placed, total } = record(each)
    return { id, placed: Number(placed), total: Number(total) }
  })
  return { id, name, city, newest }
}

function purchase(row: unknown) {
  const { id, placed, total, at } = record(row)
  return { id, placed: Number(placed), total: Number(total), at: new Date(at as string | number).getTime() }
}

function month(row: unknown) {
  const { month, rows, total } = record(row)
  return { month, rows: Number(rows), total: Number(total) }
}

function page(row: unknown) {
  const { id, title, text } = record(row)
  return { id, title, text }
}

function category(row: unknown) {
  const { id, slug } = record(row)
  return { id, slug }
}

function enrolment(row: unknown) {
  const { course, student, grade } = record(row)
  return { course, student, grade: Number(grade) }
}

function record(row: unknown): Readonly<Record<string, unknown>> {
  if (typeof row !== 'object' || row === null) throw new TypeError('The answer is no row')
  return { ...row }
}
