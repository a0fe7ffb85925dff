/** Groups of documents as a pipeline. What is made is numbered: names of measures are the caller's. Pure. */
import type { Document, Filter } from 'mongodb'
import {
  type Condition,
  type ConditionValue,
  type Group,
  type Grouping,
  groupOrder,
  groupRows,
  type Measure
} from 'svc-stores/table'
import { conditionFilter, type FilterColumns } from './condition-filter.ts'
import type { DocumentColumns } from './document-columns.ts'
import { distinctColumn } from './group-passes.ts'
import type { JoinedOrder } from './joined-order.ts'
import { timeExpression } from './time-expression.ts'

/** The documents that are grouped. */
export interface GroupedDocuments {
  readonly columns: DocumentColumns
  readonly conditions: readonly Condition[]
  /** What the groups share of other collections; `null`: nothing. */
  readonly joined: JoinedOrder | null
}

/** Of measures that are asked of all rows of a group: see `groupInPasses` for others. */
function groupPipeline(documents: GroupedDocuments, grouping: Grouping): Document[] {
  const { columns } = documents
  const { measures, having = [], limit } = grouping
  const own = (name: string) => `$${columns.field(name)}`
  const measured = Object.values(measures).flatMap((each, place) => accumulators(each, `m${place}`, own))
  const order = groupOrder(grouping)
  const sort = Object.fromEntries(
    order.map(({ field, direction }) => [pathOf(grouping, field), direction === 'ASC' ? 1 : -1])
  )
  const met = having.length === 0 ? {} : groupFilter(documents, grouping, having)
  const asked = JSON.stringify(met)
  const compared = sums(grouping).filter(([path]) => path in sort || asked.includes(`"${path}"`))
  return [
    ...grouped(documents),
    { $group: { _id: groupKey(documents, grouping), ...Object.fromEntries(measured) } },
    ...(compared.length === 0 ? [] : [{ $addFields: Object.fromEntries(compared) }]),
    ...(having.length === 0 ? [] : [{ $match: met }]),
    ...(Object.keys(sort).length === 0 ? [] : [{ $sort: sort }]),
    ...(limit === undefined ? [] : [{ $limit: limit }])
  ]
}

/** The different values of a column in each group: groups of groups. The one measure is numbered 0. */
function distinctPipeline(
  documents: GroupedDocuments,
  grouping: Pick<Grouping, 'by' | 'parts' | 'reached'>,
  column: string
): Document[] {
  const shared = groupKey(documents, grouping)
  const values = { ...shared, value: `$${documents.columns.field(column)}` }
  const outer = Object.fromEntries(Object.keys(shared ?? {}).map((name) => [name, { $ifNull: [`$_id.${name}`, null] }]))
  return [
    ...grouped(documents, [{ field: column, operator: 'null', value: false }]),
    { $group: { _id: values } },
    { $group: { _id: shared === null ? null : outer, m0: { $sum: 1 } } }
  ]
}

/** The groups of one pass. */
export async function readGroups(
  grouped: GroupedDocuments,
  grouping: Grouping,
  aggregate: (pipeline: readonly Document[]) => Promise<readonly Document[]>
): Promise<Group[]> {
  const distinct = distinctColumn(grouping)
  const pipeline = distinct === null ? groupPipeline(grouped, grouping) : distinctPipeline(grouped, grouping, distinct)
  return groupsOf(grouped, await aggregate(pipeline), grouping)
}

function groupsOf({ columns, joined }: GroupedDocuments, documents: readonly Document[], grouping: Grouping): Group[] {
  const { by, parts = {}, reached = {}, measures } = grouping
  // The server makes no group of nothing.
  if (documents.length === 0 && by.length === 0) return groupRows([], grouping)
  return documents.map((document) => {
    const shared = by.map((name, place) => {
      const value: unknown = document._id[`g${place}`]
      if (Object.hasOwn(reached, name)) return [name, joined?.read(name, value)]
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

function grouped({ columns, conditions, joined }: GroupedDocuments, more: readonly Condition[] = []): Document[] {
  return [{ $match: conditionFilter(columns, [...conditions, ...more]) }, ...(joined?.stages ?? [])]
}

function groupKey(
  { columns, joined }: GroupedDocuments,
  { by, parts = {}, reached = {} }: Pick<Grouping, 'by' | 'parts' | 'reached'>
): Document | null {
  if (by.length === 0) return null
  const keyOf = (name: string) => {
    if (Object.hasOwn(reached, name)) return joined?.expression(name)
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    return part === undefined ? `$${columns.field(name)}` : timeExpression(columns, part)
  }
  return Object.fromEntries(by.map((name, place) => [`g${place}`, { $ifNull: [keyOf(name), null] }]))
}

/** A filter of what groups have. */
function groupFilter(
  { columns, joined }: GroupedDocuments,
  grouping: Grouping,
  having: readonly Condition[]
): Filter<Document> {
  const columnOf = (name: string): string | null => {
    const measure = Object.hasOwn(grouping.measures, name) ? grouping.measures[name] : undefined
    if (measure === undefined) return Object.hasOwn(grouping.parts ?? {}, name) ? null : name
    if (measure.of === 'min' || measure.of === 'max') return measure.column
    return measure.of === 'sum' && columns.isWide(measure.column) ? measure.column : null
  }
  const ofGroups: FilterColumns = {
    field: (name) => pathOf(grouping, name),
    operand: (name, value) => {
      if (Object.hasOwn(grouping.reached ?? {}, name)) return joined?.operand(name, value as ConditionValue)
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
