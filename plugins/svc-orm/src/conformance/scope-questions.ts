/**
 * Random questions and writes of one organisation, each with what a model answers that holds the rows of each organisation
 * apart. The model is plain arrays; it knows neither conditions nor tables.
 */
import fc from 'fast-check'
import type { AnyRow } from '../entities/row-of.ts'
import { collected, type ScopedContext } from './scope-fixtures.ts'

export interface ModelWork {
  readonly number: number
  title: string
  stars: number
  readonly writer: string | null
}

/** Of one organisation; writers by their slug. */
export interface Model {
  readonly writers: readonly string[]
  works: ModelWork[]
}

export const titles = fc.constantFrom('x', 'y', 'z')
export const slugs = fc.constantFrom('ann', 'ben')
export const level = fc.nat(3)

/** Criteria, and what they mean. */
export interface Filter {
  readonly criteria: Record<string, unknown>
  readonly matches: (work: ModelWork) => boolean
}

const simple: fc.Arbitrary<Filter> = fc.oneof(
  fc.constant<Filter>({ criteria: {}, matches: () => true }),
  titles.map((title) => ({ criteria: { title }, matches: (work: ModelWork) => work.title === title })),
  level.map((least) => ({ criteria: { stars: { $gte: least } }, matches: (work: ModelWork) => work.stars >= least })),
  slugs.map((slug) => ({ criteria: { writer: { slug } }, matches: (work: ModelWork) => work.writer === slug })),
  slugs.map((slug) => ({ criteria: { 'writer.slug': slug }, matches: (work: ModelWork) => work.writer === slug })),
  // Ben is below Ann.
  slugs.map((slug) => ({
    criteria: { writer: { $within: { slug } } },
    matches: (work: ModelWork) => work.writer === 'ben' || (work.writer === 'ann' && slug === 'ann')
  })),
  fc.constant<Filter>({ criteria: { writer: null }, matches: (work) => work.writer === null })
)

const notEmpty = simple.filter(({ criteria }) => Object.keys(criteria).length > 0)

export const filter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 3, arbitrary: simple },
  fc.array(notEmpty, { minLength: 1, maxLength: 3 }).map((parts) => ({
    criteria: { $or: parts.map(({ criteria }) => criteria) },
    matches: (work: ModelWork) => parts.some(({ matches }) => matches(work))
  })),
  notEmpty.map(({ criteria, matches }) => ({
    criteria: { $not: criteria },
    matches: (work: ModelWork) => !matches(work)
  })),
  // Of any organisation: a scope is no matter of criteria.
  simple.map(({ criteria, matches }) => ({ criteria: { ...criteria, organizationId: { $in: ['a', 'b'] } }, matches }))
)

/** A call, and what it says of the model; both answer plain values, and a write changes both. */
export interface Question {
  readonly name: string
  ask(context: ScopedContext): Promise<unknown>
  tell(model: Model): unknown
}

const numbers = (works: readonly { readonly number: number }[]) => works.map(({ number }) => number)
/** Numbers are given once: they name a row on each engine. */
export const numbered = (rows: readonly AnyRow[]) => rows.map((row) => Math.round(Number(row.price) * 100))
const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)
const BY_NUMBER = [['price', 'ASC']] as const

function question(name: string, ask: Question['ask'], tell: Question['tell']): Question {
  return { name, ask, tell }
}

export function reads({ criteria, matches }: Filter, limit: number): readonly Question[] {
  const of = (model: Model) => model.works.filter(matches)
  const titlesOf = (model: Model) => [...new Set(of(model).map(({ title }) => title))].toSorted()
  return [
    question(
      'find',
      async ({ works }) => sorted(numbered(await works.find(criteria))),
      (model) => sorted(numbers(of(model)))
    ),
    question(
      'find in order',
      async ({ works }) =>
        numbered(
          await works.find(criteria, {
            order: [
              ['stars', 'DESC'],
              ['price', 'ASC']
            ],
            limit
          })
        ),
      (model) =>
        numbers(
          of(model)
            .toSorted((a, b) => b.stars - a.stars || a.number - b.number)
            .slice(0, limit)
        )
    ),
    question(
      'findOne',
      async ({ works }) => {
        const row = await works.findOne(criteria, { order: BY_NUMBER })
        return row === null ? null : numbered([row])[0]
      },
      (model) => sorted(numbers(of(model)))[0] ?? null
    ),
    question(
      'pages',
      async ({ works }) => {
        const seen: number[] = []
        let after: string | undefined
        do {
          const page = await works.page(criteria, { order: BY_NUMBER, limit, ...(after !== undefined && { after }) })
          seen.push(...numbered(page.items))
          after = page.next ?? undefined
        } while (after !== undefined)
        return seen
      },
      (model) => sorted(numbers(of(model)))
    ),
    question(
      'stream',
      async ({ works }) => sorted(numbered(await collected(works.stream(criteria)))),
      (model) => sorted(numbers(of(model)))
    ),
    question(
      'count',
      ({ works }) => works.count(criteria),
      (model) => of(model).length
    ),
    question(
      'words, by rank',
      async ({ works, searches }) => {
        const parts = [criteria, searches ? { $search: 'x' } : { title: 'x' }]
        const order = searches ? { order: [['$rank', 'DESC']] } : {}
        const asked = { $and: parts.filter((each) => Object.keys(each).length > 0) }
        return sorted(numbered(await works.find(asked, order as never)))
      },
      (model) => sorted(numbers(of(model).filter(({ title }) => title === 'x')))
    ),
    question(
      'exists',
      ({ works }) => works.exists(criteria),
      (model) => of(model).length > 0
    ),
    question(
      'aggregate',
      ({ works }) => works.aggregate(criteria, { rows: { count: true }, most: { max: 'stars' } }),
      (model) => ({ rows: of(model).length, most: of(model).reduce<number | null>(greater, null) })
    ),
    question(
      'groupBy',
      async ({ works }) => {
        const groups = await works.groupBy(criteria, { by: ['title'], measures: { rows: { count: true } } })
        return Object.fromEntries(groups.map(({ title, rows }) => [title, rows]))
      },
      (model) =>
        Object.fromEntries(
          titlesOf(model).map((title) => [title, of(model).filter((work) => work.title === title).length])
        )
    ),
    question('distinct', ({ works }) => works.distinct('title', criteria), titlesOf),
    question(
      'include',
      async ({ works }) => {
        const rows = await works.find(criteria, { order: BY_NUMBER, include: { writer: { include: { works: true } } } })
        return rows.map(({ writer }) => writer && [writer.slug, sorted(numbered(writer.works))])
      },
      (model) =>
        of(model)
          .toSorted((a, b) => a.number - b.number)
          .map(
            ({ writer }) => writer && [writer, sorted(numbers(model.works.filter((work) => work.writer === writer)))]
          )
    ),
    question(
      'writers by their works',
      async ({ writers }) => (await writers.find({ works: criteria })).map(({ slug }) => slug as string).toSorted(),
      (model) => model.writers.filter((slug) => of(model).some(({ writer }) => writer === slug)).toSorted()
    ),
    question(
      'shelves by their works',
      ({ shelves }) => shelves.count({ works: criteria }),
      (model) => (of(model).length > 0 ? 1 : 0)
    )
  ]
}

function greater(most: number | null, { stars }: ModelWork): number {
  return most === null || stars > most ? stars : most
}

export function writes({ criteria, matches }: Filter, stars: number): readonly Question[] {
  const first = (model: Model) => model.works.filter(matches).toSorted((a, b) => a.number - b.number)[0]
  /** The first row in the order of numbers: which one comes first by id differs from engine to engine. */
  const one = async ({ works, opened }: ScopedContext) => {
    const row = await works.findOne(criteria, { order: BY_NUMBER })
    return { id: row?.id ?? opened.database.ids.generate() }
  }
  return [
    question(
      'updateMany',
      ({ works }) => works.updateMany(criteria, { stars: stars + 4 }),
      (model) => {
        const found = model.works.filter(matches)
        for (const work of found) work.stars = stars + 4
        return found.length
      }
    ),
    question(
      'updateEach',
      async ({ works }) => {
        const rows = await works.find(criteria)
        const after = await works.updateEach(rows.map(({ id }) => ({ id, stars })))
        return after.length
      },
      (model) => {
        const found = model.works.filter(matches)
        for (const work of found) work.stars = stars
        return found.length
      }
    ),
    question(
      'updateOne',
      async (context) => (await context.works.updateOne(await one(context), { title: 'z' })) !== null,
      (model) => {
        const work = first(model)
        if (work !== undefined) work.title = 'z'
        return work !== undefined
      }
    ),
    question(
      'increment',
      async (context) => (await context.works.increment(await one(context), 'stars', stars)) !== null,
      (model) => {
        const work = first(model)
        if (work !== undefined) work.stars += stars
        return work !== undefined
      }
    ),
    question(
      'deleteOne',
      async (context) => context.works.deleteOne(await one(context)),
      (model) => {
        const work = first(model)
        model.works = model.works.filter((each) => each !== work)
        return work !== undefined
      }
    ),
    question(
      'delete',
      ({ works }) =>
        works.delete({ $and: [criteria, { stars: { $gt: stars } }].filter((each) => Object.keys(each).length > 0) }),
      (model) => {
        const before = model.works.length
        model.works = model.works.filter((work) => !matches(work) || work.stars <= stars)
        return before - model.works.length
      }
    ),
    question(
      'purge',
      ({ works }) => works.purge({}).then(() => null),
      () => null
    )
  ]
}
