/**
 * Chooses the index for a filter and a sort: the one with the most fields bound by equality, then a range, then the
 * order of the sort. The plan only narrows what is read; every document is tested again.
 */

import type { Comparison } from '../query/filter.ts'
import { ORDER_TESTS } from '../query/operators.ts'
import type { SortField } from '../query/sort.ts'
import { compareValues, rankOf } from '../values/compare-values.ts'
import { isNaNValue } from '../values/numbers.ts'
import { isDocument, isRegex, type Value } from '../values/value.ts'
import type { CollectionIndex, IndexKey, IndexRange } from './collection-index.ts'
import { impliesAll } from './partial-tests.ts'

export interface IndexPlan {
  readonly index: CollectionIndex
  readonly ranges: readonly IndexRange[]
  readonly direction: 1 | -1
  /** Whether records come in the order of the sort. */
  readonly sorted: boolean
}

/** Longer lists of `$in` are not searched value by value. */
const MAX_POINTS = 1000

interface Bound {
  readonly lower?: Comparison
  readonly upper?: Comparison
}

/** `null` means that the collection is read from its beginning. */
export function planIndex(
  indexes: readonly CollectionIndex[],
  comparisons: readonly Comparison[],
  sort: readonly SortField[]
): IndexPlan | null {
  let best: { plan: IndexPlan; score: number } | null = null
  for (const index of indexes) {
    const candidate = planOne(index, comparisons.filter(isBindable), sort)
    if (candidate !== null && (best === null || candidate.score > best.score)) best = candidate
  }
  return best?.plan ?? null
}

function planOne(
  index: CollectionIndex,
  comparisons: readonly Comparison[],
  sort: readonly SortField[]
): { plan: IndexPlan; score: number } | null {
  const { fields, sparse, partialTests } = index.definition
  if (partialTests === null || !impliesAll(comparisons, partialTests)) return null
  const points: Value[][] = []
  for (const { path } of fields) {
    const values = pointsOf(comparisons, path, index.multikey)
    if (values === null || count(points) * values.length > MAX_POINTS) break
    points.push(values)
  }
  const next = fields[points.length]
  const bound = next === undefined ? {} : boundOf(comparisons, next.path, index.multikey)
  const bounded = bound.lower !== undefined || bound.upper !== undefined
  const useful = points.length > 0 || bounded
  const direction = count(points) === 1 && !index.multikey ? sortDirection(index, points.length, sort) : null
  if ((!useful && direction === null) || (sparse && !useful)) return null
  const tuples = product(points)
  const ranges = tuples.map((tuple) => rangeOf(index, tuple, bound))
  const score = points.length * 4 + (bounded ? 2 : 0) + (direction === null ? 0 : 1)
  return { plan: { index, ranges, direction: direction ?? 1, sorted: direction !== null }, score }
}

/** Equality with an array, or with a regular expression, is not a matter of one key. */
function isBindable({ operator, operand }: Comparison): boolean {
  const plain = (value: Value) => !Array.isArray(value) && !isRegex(value)
  if (operator === '$in') return Array.isArray(operand) && operand.every(plain)
  if (operator === '$eq') return plain(operand)
  const rank = rankOf(operand)
  return plain(operand) && rank !== 5 && rank !== -1 && rank !== 127 && !isDocument(operand) && !isNaNValue(operand)
}

/** The values a field is bound to; null is also absence, which only the keys of unbranched documents show. */
function pointsOf(comparisons: readonly Comparison[], path: string, multikey: boolean): Value[] | null {
  const found = comparisons.find((one) => one.path === path && (one.operator === '$eq' || one.operator === '$in'))
  if (found === undefined) return null
  const values = found.operator === '$in' && Array.isArray(found.operand) ? found.operand : [found.operand]
  if (values.some((value) => value === null) && multikey) return null
  const sorted = [...values].sort(compareValues)
  return sorted.filter((value, at) => at === 0 || compareValues(value, sorted[at - 1]) !== 0)
}

/** In a multikey index the two ends may be met by different elements, so only one may narrow. */
function boundOf(comparisons: readonly Comparison[], path: string, multikey: boolean): Bound {
  const lower = comparisons.find((one) => one.path === path && (one.operator === '$gt' || one.operator === '$gte'))
  const upper = comparisons.find((one) => one.path === path && (one.operator === '$lt' || one.operator === '$lte'))
  if (lower === undefined) return upper === undefined ? {} : { upper }
  const together = upper !== undefined && !multikey && rankOf(upper.operand) === rankOf(lower.operand)
  return together ? { lower, upper } : { lower }
}

/** The direction to read the index in so that it gives the sort, or null when it does not. */
function sortDirection(index: CollectionIndex, bound: number, sort: readonly SortField[]): 1 | -1 | null {
  const { fields } = index.definition
  const [first] = sort
  if (first === undefined) return null
  const open = sort.filter(({ path }) => !fields.slice(0, bound).some((field) => field.path === path))
  const rest = fields.slice(bound)
  const [lead] = open
  if (lead === undefined) return 1
  const direction = lead.direction === rest[0]?.direction ? 1 : -1
  const fits = open.every(({ path, direction: wanted }, at) => {
    const field = rest[at]
    return field !== undefined && field.path === path && field.direction * direction === wanted
  })
  return fits ? direction : null
}

function rangeOf(index: CollectionIndex, tuple: readonly Value[], { lower, upper }: Bound): IndexRange {
  const at = tuple.length
  const forward = (index.definition.fields[at]?.direction ?? 1) === 1
  const side = (key: IndexKey, { operator, operand }: Comparison) =>
    operator !== '$in' && ORDER_TESTS[operator](compareValues(key[at], operand))
  const first = forward ? lower : upper
  const last = forward ? upper : lower
  const known = lower ?? upper
  const rank = known === undefined ? null : rankOf(known.operand)
  const before = (key: IndexKey) => rank !== null && (forward ? rankOf(key[at]) < rank : rankOf(key[at]) > rank)
  const after = (key: IndexKey) => rank !== null && (forward ? rankOf(key[at]) > rank : rankOf(key[at]) < rank)
  return {
    begins: (key) => {
      const difference = index.compare(key, tuple)
      if (difference !== 0) return difference > 0
      if (before(key)) return false
      return after(key) || first === undefined || side(key, first)
    },
    ends: (key) => {
      const difference = index.compare(key, tuple)
      if (difference !== 0) return difference > 0
      return after(key) || (last !== undefined && !before(key) && !side(key, last))
    }
  }
}

function count(points: readonly (readonly Value[])[]): number {
  return points.reduce((total, values) => total * values.length, 1)
}

function product(points: readonly (readonly Value[])[]): Value[][] {
  return points.reduce<Value[][]>(
    (tuples, values) => tuples.flatMap((tuple) => values.map((value) => [...tuple, value])),
    [[]]
  )
}
