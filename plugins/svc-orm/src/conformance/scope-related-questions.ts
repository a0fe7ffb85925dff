/** Random questions of one organisation about rows that belong to others, some of them shared with another organisation. */
import { type Filter, type Model, type ModelWork, numbered, type Question } from './scope-questions.ts'

type Order = readonly (readonly [field: string, direction: 'ASC' | 'DESC'])[]

const NEWEST: Order = [['price', 'DESC']]

const newestFirst = (works: readonly ModelWork[]) => works.toSorted((a, b) => b.number - a.number)
const sum = (works: readonly ModelWork[]) => works.reduce((total, { stars }) => total + stars, 0)

export function relatedReads({ criteria, matches }: Filter, limit: number): readonly Question[] {
  const of = (model: Model) => model.works.filter(matches)
  /** All works lie on one shelf, which belongs to no organisation. */
  const shelf = (name: string, works: object, isFound: (model: Model) => boolean): Question => ({
    name,
    ask: ({ shelves }) => shelves.count({ works: { ...criteria, ...works } }),
    tell: (model) => (isFound(model) ? 1 : 0)
  })
  return [
    shelf('shelves by the number of their works', { $count: limit }, (model) => of(model).length === limit),
    shelf('shelves by a sum', { $sum: { stars: { $gte: 2 * limit } } }, (model) => sum(of(model)) >= 2 * limit),
    shelf('shelves by their latest works', { $latest: { order: NEWEST, limit } }, (model) => {
      return newestFirst(model.works).slice(0, limit).some(matches)
    }),
    {
      name: 'the first works of a shelf, and their number',
      ask: async ({ shelves }) => {
        const include = { works: { where: criteria, order: NEWEST, limit } }
        const counts = { all: { relation: 'works' }, some: { relation: 'works', where: criteria } }
        const [found] = await shelves.find({}, { include, counts } as never)
        return [numbered(found?.works ?? []), { ...found?.counts }]
      },
      tell: (model) => [
        newestFirst(of(model))
          .slice(0, limit)
          .map(({ number }) => number),
        { all: model.works.length, some: of(model).length }
      ]
    },
    {
      name: 'works by their writer',
      ask: async ({ works }) => {
        const order: Order = [['writer.slug', 'DESC'], ...NEWEST]
        return numbered(await works.find(criteria, { order } as never))
      },
      tell: (model) => {
        const byWriter = (a: ModelWork, b: ModelWork) => ((a.writer ?? '') < (b.writer ?? '') ? 1 : -1)
        const sorted = newestFirst(of(model)).toSorted((a, b) => (a.writer === b.writer ? 0 : byWriter(a, b)))
        return sorted.map(({ number }) => number)
      }
    },
    {
      name: 'works in groups by their writer',
      ask: async ({ works }) => {
        const options = { by: ['writer.slug'], measures: { stars: { sum: 'stars' } } }
        const groups: readonly object[] = await works.groupBy(criteria, options as never)
        return (groups as readonly Readonly<Record<string, unknown>>[]).map((group) => [
          group['writer.slug'],
          group.stars
        ])
      },
      tell: (model) => {
        const writers = [...new Set(of(model).map(({ writer }) => writer))].toSorted((a, b) =>
          (a ?? '') < (b ?? '') ? -1 : 1
        )
        return writers.map((slug) => [slug, sum(of(model).filter(({ writer }) => writer === slug))])
      }
    },
    {
      name: 'stars so far, behind the first works',
      ask: async ({ works }) => {
        const running = { stars: { sum: 'stars' } } as const
        const rows = await works.find(criteria, { order: [['price', 'ASC']], offset: limit, running })
        return rows.map((row) => row.running.stars as unknown)
      },
      tell: (model) => {
        const sorted = of(model).toSorted((a, b) => a.number - b.number)
        return sorted.map((_, place) => sum(sorted.slice(0, place + 1))).slice(limit)
      }
    }
  ]
}
