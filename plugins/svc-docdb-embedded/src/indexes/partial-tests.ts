/**
 * The filter of a partial index as tests of single fields. A query may use the index where what it compares implies each of
 * them: then every document that it can match is in the index. What is not understood implies nothing.
 */
import type { Comparison } from '../query/filter.ts'
import { ORDER_TESTS } from '../query/operators.ts'
import { compareValues, rankOf } from '../values/compare-values.ts'
import { truthy } from '../values/numbers.ts'
import { type Document, firstName, isDocument, isRegex, type Value } from '../values/value.ts'

export interface PartialTest {
  readonly path: string
  readonly operator: '$eq' | '$gt' | '$gte' | '$lt' | '$lte' | '$exists'
  readonly operand: Value
}

const KNOWN: ReadonlySet<string> = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$exists'])

/** @returns `null` for a filter that says anything else */
export function readPartialTests(filter: Value | undefined): readonly PartialTest[] | null {
  if (!isDocument(filter)) return null
  const tests = [...filter].flatMap(([path, operand]) => fieldTests(path, operand))
  return tests.every(isKnown) ? (tests as readonly PartialTest[]) : null
}

interface AnyTest {
  readonly path: string
  readonly operator: string
  readonly operand: Value
}

function fieldTests(path: string, operand: Value): readonly AnyTest[] {
  if (!isDocument(operand) || !firstName(operand).startsWith('$')) return [{ path, operator: '$eq', operand }]
  return [...(operand as Document)].map(([operator, value]) => ({ path, operator, operand: value }))
}

function isKnown({ path, operator, operand }: AnyTest): boolean {
  if (path.startsWith('$') || !KNOWN.has(operator) || isRegex(operand) || Array.isArray(operand)) return false
  return operator !== '$exists' || truthy(operand)
}

export function impliesAll(comparisons: readonly Comparison[], tests: readonly PartialTest[]): boolean {
  return tests.every((test) => comparisons.some((comparison) => implies(comparison, test)))
}

function implies({ path, operator, operand }: Comparison, test: PartialTest): boolean {
  if (path !== test.path) return false
  // A comparison other than with null is met by a value only.
  if (test.operator === '$exists') return operator !== '$in' && operand !== null
  if (operator === '$in' || rankOf(operand) !== rankOf(test.operand)) return false
  const difference = compareValues(operand, test.operand)
  if (operator === test.operator) return difference === 0
  return operator === '$eq' && test.operator !== '$eq' && ORDER_TESTS[test.operator](difference)
}
