/** `$eq $ne $gt $gte $lt $lte $in $nin`: comparisons within one type, as MongoDB brackets them. */
import { CommandError } from '../failure/command-error.ts'
import { compareValues, equalValues, rankOf } from '../ordering/compare-values.ts'
import { approximate } from '../values/exact-number.ts'
import { isDocument, isNumber, isRegex, type Value } from '../values/value.ts'
import type { FieldTest, OperatorBuilder, ValueTest } from './condition.ts'
import { regexTest } from './regex-operators.ts'

/** Equality; null is also the field that is absent. */
export function equals(operand: Value): ValueTest {
  if (operand === null) return (value) => value === undefined || value === null
  return (value) => value !== undefined && equalValues(value, operand)
}

function ordered(accept: (difference: number) => boolean): OperatorBuilder {
  return (operand) => {
    const rank = rankOf(operand)
    const anyType = rank === -1 || rank === 127
    if (isNumber(operand) && Number.isNaN(approximate(operand))) {
      return { test: accept(0) ? equals(operand) : () => false, reach: 'elements' }
    }
    const test: ValueTest = (value) => {
      const present = value === undefined && rank === 5 ? null : value
      if (present === undefined || isNaNValue(present)) return false
      return (anyType || rankOf(present) === rank) && accept(compareValues(present, operand))
    }
    return { test, reach: 'elements' }
  }
}

function isNaNValue(value: Value): boolean {
  return isNumber(value) && Number.isNaN(approximate(value))
}

function isIn(name: string): (operand: Value) => FieldTest {
  return (operand) => {
    if (!Array.isArray(operand)) throw new CommandError(2, `${name} needs an array`)
    const hasOperator = operand.some((item) => isDocument(item) && [...item.keys()][0]?.startsWith('$'))
    if (hasOperator) throw new CommandError(2, `cannot nest $ under ${name}`)
    const tests = operand.map((item) => (isRegex(item) ? regexTest(item) : equals(item)))
    return { test: (value) => tests.some((test) => test(value)), reach: 'elements' }
  }
}

export const comparisonOperators: Readonly<Record<string, OperatorBuilder>> = {
  $eq: (operand) => ({ test: equals(operand), reach: 'elements' }),
  $ne: (operand) => {
    if (isRegex(operand)) throw new CommandError(2, "Can't have regex as arg to $ne.")
    return { test: equals(operand), reach: 'elements', negated: true }
  },
  $gt: ordered((difference) => difference > 0),
  $gte: ordered((difference) => difference >= 0),
  $lt: ordered((difference) => difference < 0),
  $lte: ordered((difference) => difference <= 0),
  $in: isIn('$in'),
  $nin: (operand) => ({ ...isIn('$nin')(operand), negated: true })
}
