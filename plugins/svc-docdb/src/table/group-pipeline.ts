/** Groups of documents as a pipeline. What is made is numbered: names of measures are the caller's. Pure. */
import type { Document, Filter } from 'mongodb'
import { type Condition, type Group, type Grouping, groupOrder, groupRows, type Measure } from 'svc-stores/table'
import { conditionFilter, type FilterColumns } from './condition-filter.ts'
import type { DocumentColumns } from './document-columns.ts'
import { timeExpression } from './time-expression.ts'

/** Of measures that are asked of all rows of a group: see `groupInPasses` for others. */
export function groupPipeline(columns: DocumentColumns, filter: Filter<Document>, grouping: Grouping): Document[] {
  const { measures, having = [], limit } = grouping
  const own = (name: string) => `$${columns.field(name)}`
  const measured = Object.values(measures).flatMap((each, place) => accumulators(each, `m${place}`, own))
  const order = groupOrder(grouping)
  const sort = Object.fromEntries(
    order.map(({ field, direction }) => [pathOf(grouping, field), direction === 'ASC' ? 1 : -1])
  )
  const met = having.length === 0 ? {} : groupFilter(columns, grouping, having)
  const asked = JSON.stringify(met)
  const compared = sums(grouping).filter(([path]) => path in sort || asked.includes(`"${path}"`))
  return [
    { $match: filter },
    { $group: { _id: groupKey(columns, grouping), ...Object.fromEntries(measured) } },
    ...(compared.length === 0 ? [] : [{ $addFields: Object.fromEntries(compared) }]),
    ...(having.length === 0 ? [] : [{ $match: met }]),
    ...(Object.keys(sort).length === 0 ? [] : [{ $sort: sort }]),
    ...(limit === undefined ? [] : [{ $limit: limit }])
  ]
}

/** The different values of a column in each group: groups of groups. The one measure is numbered 0. */
export function distinctPipeline(
  columns: DocumentColumns,
  filter: Filter<Document>,
  grouping: Pick<Grouping, 'by' | 'parts'>,
  column: string
): Document[] {
  const shared = groupKey(columns, grouping)
  const values = { ...shared, value: `$${columns.field(column)}` }
  const outer = Object.fromEntries(Object.keys(shared ?? {}).map((name) => [name, { $ifNull: [`$_id.${name}`, null] }]))
  return [
    { $match: filter },
    { $group: { _id: values } },
    { $group: { _id: shared === null ? null : outer, m0: { $sum: 1 } } }
  ]
}

export function readGroups(columns: DocumentColumns, documents: readonly Document[], grouping: Grouping): Group[] {
  const { by, parts = {}, measures } = grouping
  // The server makes no group of nothing.
  if (documents.length === 0 && by.length === 0) return groupRows([], grouping)
  return documents.map((document) => {
    const shared = by.map((name, place) => {
      const value: unknown = document._id[`g${place}`]
      return [name, Object.hasOwn(parts, name) ? value : columns.read(name, value)]
    })
    const measured = Object.entries(measures).map(([name, measure], place) => {
      const value: unknown = document[`m${place}`] ?? null
      const isNothing = measure.of === 'sum' && (document[`m${place}held`] ?? null) === null
      return [name, isNothing || value === null ? null : readMeasure(columns, measure, value)]
    })
    return Object.fromEntries([...shared, ...measured]) as Group
  })
}

function groupKey(columns: DocumentColumns, { by, parts = {} }: Pick<Grouping, 'by' | 'parts'>): Document | null {
  if (by.length === 0) return null
  const keys = by.map((name, place) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    const key = part === undefined ? `$${columns.field(name)}` : timeExpression(columns, part)
    return [`g${place}`, { $ifNull: [key, null] }] as const
  })
  return Object.fromEntries(keys)
}

/** A filter of what groups have. */
function groupFilter(columns: DocumentColumns, grouping: Grouping, having: readonly Condition[]): Filter<Document> {
  const columnOf = (name: string): string | null => {
    const measure = Object.hasOwn(grouping.measures, name) ? grouping.measures[name] : undefined
    if (measure === undefined) return Object.hasOwn(grouping.parts ?? {}, name) ? null : name
    if (measure.of === 'min' || measure.of === 'max') return measure.column
    return measure.of === 'sum' && columns.isWide(measure.column) ? measure.column : null
  }
  const ofGroups: FilterColumns = {
    field: (name) => pathOf(grouping, name),
    operand: (name, value) => {
      const column = columnOf(name)
      return column === null ? value : columns.operand(column, value)
    },
    holdsLists: () => false
  }
  return conditionFilter(ofGroups, having)
}

/** The driver answers as a number what fits. */
function readMeasure(columns: DocumentColumns, measure: Measure, value: unknown): unknown {
  if (measure.of === 'min' || measure.of === 'max') return columns.read(measure.column, value)
  if (measure.of === 'sum' && columns.isWide(measure.column)) return columns.read(measure.column, value)
  return Number(value)
}

function accumulators(measure: Measure, name: string, own: (column: string) => string): [string, Document][] {
  if (measure.of === 'count' || measure.of === 'countDistinct') return [[name, { $sum: 1 }]]
  const value = own(measure.column)
  // The server sums nothing up to 0: the greatest says whether anything is held.
  if (measure.of === 'sum')
    return [
      [name, { $sum: value }],
      [`${name}held`, { $max: value }]
    ]
  return [[name, { [`$${measure.of}`]: value }]]
}

/** Before groups are compared by them. */
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
