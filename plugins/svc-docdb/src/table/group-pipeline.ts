/** Groups of documents as a pipeline. What is made is numbered: names of measures are the caller's. Pure. */
import type { Document, Filter } from 'mongodb'
import { type Group, type Grouping, groupOrder, groupRows, type Measure } from 'svc-stores/table'
import type { DocumentColumns } from './document-columns.ts'

export function groupPipeline(columns: DocumentColumns, filter: Filter<Document>, grouping: Grouping): Document[] {
  const { by, measures, limit } = grouping
  const own = (name: string) => `$${columns.field(name)}`
  const shared = Object.fromEntries(by.map((name, place) => [`g${place}`, { $ifNull: [own(name), null] }]))
  const measured = Object.values(measures).flatMap((each, place) => accumulators(each, `m${place}`, own))
  const order = groupOrder(grouping)
  const sort = Object.fromEntries(
    order.map(({ field, direction }) => [pathOf(grouping, field), direction === 'ASC' ? 1 : -1])
  )
  const sorted = sums(grouping).filter(([path]) => path in sort)
  return [
    { $match: filter },
    { $group: { _id: by.length === 0 ? null : shared, ...Object.fromEntries(measured) } },
    ...(sorted.length === 0 ? [] : [{ $addFields: Object.fromEntries(sorted) }]),
    ...(Object.keys(sort).length === 0 ? [] : [{ $sort: sort }]),
    ...(limit === undefined ? [] : [{ $limit: limit }])
  ]
}

export function readGroups(columns: DocumentColumns, documents: readonly Document[], grouping: Grouping): Group[] {
  // The server makes no group of nothing.
  if (documents.length === 0 && grouping.by.length === 0) return groupRows([], grouping)
  return documents.map((document) => {
    const shared = grouping.by.map((name, place) => [name, columns.read(name, document._id[`g${place}`])])
    const measured = Object.entries(grouping.measures).map(([name, measure], place) => {
      const value: unknown = document[`m${place}`] ?? null
      const isNothing = measure.of === 'sum' && (document[`m${place}held`] ?? null) === null
      return [name, isNothing || value === null ? null : readMeasure(columns, measure, value)]
    })
    return Object.fromEntries([...shared, ...measured]) as Group
  })
}

/** The driver answers as a number what fits. */
function readMeasure(columns: DocumentColumns, measure: Measure, value: unknown): unknown {
  if (measure.of === 'min' || measure.of === 'max') return columns.read(measure.column, value)
  if (measure.of === 'sum' && columns.isWide(measure.column)) return columns.read(measure.column, value)
  return Number(value)
}

function accumulators(measure: Measure, name: string, own: (column: string) => string): [string, Document][] {
  if (measure.of === 'count') return [[name, { $sum: 1 }]]
  const value = own(measure.column)
  // The server sums nothing up to 0: the greatest says whether anything is held.
  if (measure.of === 'sum')
    return [
      [name, { $sum: value }],
      [`${name}held`, { $max: value }]
    ]
  return [[name, { [`$${measure.of}`]: value }]]
}

/** Before groups are ordered by them. */
function sums({ measures }: Grouping): [string, Document][] {
  return Object.values(measures).flatMap((measure, place): [string, Document][] => {
    if (measure.of !== 'sum') return []
    const isNothing = { $eq: [{ $ifNull: [`$m${place}held`, null] }, null] }
    return [[`m${place}`, { $cond: [isNothing, null, `$m${place}`] }]]
  })
}

function pathOf({ by, measures }: Grouping, field: string): string {
  const place = by.indexOf(field)
  return place === -1 ? `m${Object.keys(measures).indexOf(field)}` : `_id.g${place}`
}
