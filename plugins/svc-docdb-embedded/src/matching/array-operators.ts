/** `$size`, `$all`, `$elemMatch` and `$not`: conditions on arrays, and on what other conditions say. */
import { CommandError } from '../failure/command-error.ts'
import { approximate } from '../values/exact-number.ts'
import { type Document, isDocument, isNumber, isRegex, type Value } from '../values/value.ts'
import { equals } from './comparison-operators.ts'
import type { FieldTest, OperatorBuilder, Parser, ValueTest } from './condition.ts'
import { regexTest } from './regex-operators.ts'

/** Names that begin a condition on the whole element, not on its value. */
const LOGICAL: ReadonlySet<string> = new Set(['$and', '$or', '$nor', '$expr', '$comment'])

export function elementTest(operand: Value, parser: Parser): ValueTest {
  if (!isDocument(operand)) throw new CommandError(2, '$elemMatch needs an Object')
  const first = [...operand.keys()][0] ?? ''
  if (first.startsWith('$') && !LOGICAL.has(first)) return onValue(parser.operators(operand))
  const condition = parser.filter(operand)
  return (value) => {
    if (isDocument(value)) return condition.matches(value)
    return Array.isArray(value) && condition.matches(byPosition(value))
  }
}

function byPosition(items: readonly Value[]): Document {
  return new Map(items.map((item, index) => [String(index), item]))
}

/** Several operators on one value: they hold together. */
export function onValue(tests: readonly FieldTest[]): ValueTest {
  return (value) =>
    tests.every(({ test, reach, negated = false }) => {
      const held = test(value) || (reach === 'elements' && Array.isArray(value) && value.some(test))
      return held !== negated
    })
}

function onElements(operand: Value, parser: Parser): FieldTest {
  const test = elementTest(operand, parser)
  return { test: (value) => Array.isArray(value) && value.some(test), reach: 'whole' }
}

function allOf(operand: Value, parser: Parser): FieldTest {
  if (!Array.isArray(operand)) throw new CommandError(2, '$all needs an array')
  const tests = operand.map((item): ValueTest => {
    if (isElementMatch(item)) return onElements(item.get('$elemMatch') ?? null, parser).test
    if (isDocument(item) && String([...item.keys()][0]).startsWith('$'))
      throw new CommandError(2, 'no $ expressions in $all')
    const test = isRegex(item) ? regexTest(item) : equals(item)
    return (value) => test(value) || (Array.isArray(value) && value.some(test))
  })
  return { test: (value) => tests.length > 0 && tests.every((test) => test(value)), reach: 'whole' }
}

function isElementMatch(value: Value): value is Document {
  return isDocument(value) && value.has('$elemMatch')
}

function sizeOf(operand: Value): FieldTest {
  const size = isNumber(operand) ? approximate(operand) : Number.NaN
  if (!Number.isInteger(size)) throw new CommandError(9, 'Failed to parse $size. Expected an integer')
  if (size < 0) throw new CommandError(9, 'Failed to parse $size. Expected a non-negative number')
  return { test: (value) => Array.isArray(value) && value.length === size, reach: 'whole' }
}

export const arrayOperators: Readonly<Record<string, OperatorBuilder>> = {
  $size: sizeOf,
  $all: allOf,
  $elemMatch: onElements
}
