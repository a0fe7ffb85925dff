/**
 * Random rows of two organisations, and random questions and writes of both, beside a model of each: a driver must answer
 * with all rows of the one that asks, and with none of the other.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { ConformanceSubject } from './conformance-suite.ts'
import { emptyScoped, openScoped, type ScopedContext } from './scope-fixtures.ts'
import { level, type Model, type ModelWork, numbered, slugs, titles } from './scope-questions.ts'
import { step } from './scope-steps.ts'

const ORGANISATIONS = ['a', 'b'] as const
type Organisation = (typeof ORGANISATIONS)[number]

const rows = fc.array(fc.record({ title: titles, stars: level, writer: fc.option(slugs) }), { maxLength: 8 })

export interface ScopeComparisonOptions {
  /** Sets of rows. Default 15, each asked twenty times by each organisation. */
  readonly runs?: number
}

/** @throws where an answer lacks a row of its organisation, or shows, counts or changes one of the other */
export async function compareScopes(
  subject: Pick<ConformanceSubject, 'open' | 'close'>,
  { runs = 15 }: ScopeComparisonOptions = {}
): Promise<void> {
  const context = await openScoped(subject)
  const property = fc.asyncProperty(
    fc.record({ a: rows, b: rows }),
    fc.array(step, { minLength: 20, maxLength: 20 }),
    async (given, steps) => {
      await emptyScoped(context)
      const models = await filled(context, given)
      for (const { name, ask, tell } of steps) {
        for (const organisation of ORGANISATIONS) {
          const answer = await context.within(organisation, () => ask(context))
          assert.deepEqual(answer, tell(models[organisation]), `${name} of ${organisation}`)
        }
      }
      await assertKept(context, models)
    }
  )
  try {
    await fc.assert(property, { numRuns: runs })
  } finally {
    await subject.close?.(context.opened.database)
  }
}

type Given = Readonly<Record<Organisation, readonly Omit<ModelWork, 'number'>[]>>

async function filled(context: ScopedContext, given: Given): Promise<Record<Organisation, Model>> {
  const { works, writers, shelves, within } = context
  const shelf = await shelves.create({ label: 'shared' })
  const models = { a: empty(), b: empty() }
  let number = 0
  for (const organisation of ORGANISATIONS) {
    await within(organisation, async () => {
      const ann = await writers.create({ name: 'ann', slug: 'ann' })
      const people = [ann, await writers.create({ name: 'ben', slug: 'ben', mentorId: ann.id })]
      for (const each of given[organisation]) {
        number += 1
        const writer = people.find(({ slug }) => slug === each.writer)
        const row = { title: each.title, stars: each.stars, price: (number / 100).toFixed(2) }
        await works.create({ ...row, writerId: writer?.id ?? null, shelfId: shelf.id })
        models[organisation].works.push({ ...each, number })
      }
    })
  }
  return models
}

function empty(): Model {
  return { writers: ['ann', 'ben'], works: [] }
}

/** What each organisation has at the end, seen from outside. */
async function assertKept({ across, works }: ScopedContext, models: Record<Organisation, Model>): Promise<void> {
  const kept = await across(() => works.find())
  for (const organisation of ORGANISATIONS) {
    const own = kept.filter((row) => row.organizationId === organisation)
    const shown = own.map((row) => [numbered([row])[0], row.title, row.stars]).toSorted(byFirst)
    assert.deepEqual(
      shown,
      models[organisation].works.map(({ number, title, stars }) => [number, title, stars]).toSorted(byFirst)
    )
  }
}

function byFirst(a: readonly unknown[], b: readonly unknown[]): number {
  return Number(a[0]) - Number(b[0])
}
