/**
 * The query operators on one value: comparisons within one type, as MongoDB brackets them, types, sizes and regular
 * expressions. What holds conditions of its own is in `filter.ts`.
 */
import type { BSONRegExp } from 'bson'
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { compareValues, equalValues, rankOf } from '../values/compare-values.ts'
import { isNaNValue, toDouble, truthy } from '../values/numbers.ts'
import {
  type Document,
  firstName,
  isDocument,
  isNumber,
  isRegex,
  typeOf,
  VALUE_TYPES,
  type Value
} from '../values/value.ts'

/** A test of the value at a path; `undefined` where there is none. */
export type ValueTest = (value: Value | undefined) => boolean

/** How an operator meets arrays: `elements` tests them and each of their elements, `whole` only them. */
export interface FieldTest {
  readonly test: ValueTest
  readonly reach: 'elements' | 'whole'
  /** The field passes when no value at the path passes `test`. */
  readonly negated?: boolean
}

/** Makes the test of one operator from its operand. `siblings` are the operators beside it. */
export type OperatorBuilder = (operand: Value, siblings: Document) => FieldTest | null

/** Equality; null is also the field that is absent. */
export function equals(operand: Value): ValueTest {
  if (operand === null) return (value) => value === undefined || value === null
  return (value) => value !== undefined && equalValues(value, operand)
}

/** What a comparison asks of the order of value and operand. */
export const ORDER_TESTS = {
  $gt: (difference: number) => difference > 0,
  $gte: (difference: number) => difference >= 0,
  $lt: (difference: number) => difference < 0,
  $lte: (difference: number) => difference <= 0,
  $eq: (difference: number) => difference === 0
}

function ordered(accept: (difference: number) => boolean): OperatorBuilder {
  return (operand) => {
    const rank = rankOf(operand)
    const anyType = rank === -1 || rank === 127
    if (isNaNValue(operand)) return { test: accept(0) ? equals(operand) : () => false, reach: 'elements' }
    const test: ValueTest = (value) => {
      const present = value === undefined && rank === 5 ? null : value
      if (present === undefined || (rankOf(present) !== rank && !anyType) || isNaNValue(present)) return false
      return accept(compareValues(present, operand))
    }
    return { test, reach: 'elements' }
  }
}

function isIn(name: string, operand: Value): FieldTest {
  if (!Array.isArray(operand)) throw new CommandError(2, `${name} needs an array`)
  if (operand.some((item) => isDocument(item) && firstName(item).startsWith('$'))) {
    throw new CommandError(2, `cannot nest $ under ${name}`)
  }
  const tests = operand.map((item) => (isRegex(item) ? regexTest(item) : equals(item)))
  return { test: (value) => tests.some((test) => test(value)), reach: 'elements' }
}

function typesNamed(value: Value): string[] {
  if (value === 'number') return ['int', 'long', 'double', 'decimal']
  const code = toDouble(value) === 255 ? -1 : toDouble(value)
  const known = VALUE_TYPES.find((type) => type.name === value || type.code === code)
  if (known !== undefined) return [known.name]
  if (isNumber(value)) throw new CommandError(2, `Invalid numerical type code: ${value.toString()}`)
  if (typeof value === 'string') throw new CommandError(2, `Unknown type name alias: ${value}`)
  throw new CommandError(14, 'type must be represented as a number or a string')
}

function modulo(operand: Value): FieldTest {
  if (!Array.isArray(operand)) throw new CommandError(2, 'malformed mod, needs to be an array')
  const [divisor, remainder] = operand.map((value) => {
    if (Number.isFinite(toDouble(value))) return Math.trunc(toDouble(value))
    throw new CommandError(2, 'malformed mod, its elements must be finite numbers')
  })
  if (divisor === undefined || remainder === undefined || operand.length !== 2) {
    throw new CommandError(2, `malformed mod, ${operand.length < 2 ? 'not enough' : 'too many'} elements`)
  }
  if (divisor === 0) throw new CommandError(2, 'divisor cannot be 0')
  return { test: (value) => wholeRemainder(value, divisor) === remainder, reach: 'elements' }
}

/** Of the whole part; exact for an int64 beyond 53 bits. */
function wholeRemainder(value: Value | undefined, divisor: number): number {
  const number = toDouble(value)
  if (isNumber(value) && value._bsontype === 'Long' && !Number.isSafeInteger(number)) {
    return Number(value.toBigInt() % BigInt(divisor))
  }
  return Math.trunc(number) % divisor
}

/** Characters that may be escaped without need; Unicode mode does not allow it. */
const NEEDLESS_ESCAPE = /\\(\\|[-!"#%&',:;<=>@_`~ ])/g

/** A regular expression as a value: matches strings, and itself. */
export function regexTest(regex: BSONRegExp): ValueTest {
  const compiled = compileRegex(regex.pattern, regex.options)
  return (value) => {
    if (typeof value === 'string') return compiled.test(value)
    return isRegex(value) && value.pattern === regex.pattern && value.options === regex.options
  }
}

/**
 * JavaScript's Unicode mode refuses what PCRE knows and JavaScript would read otherwise (such as `\A`), so a pattern
 * either means the same or is refused.
 *
 * @throws CommandError 51108 for an unknown option, 51091 for a pattern that does not compile
 */
function compileRegex(pattern: string, options: string): RegExp {
  for (const option of options) {
    if (option === 'x') throw notImplemented("the regex option 'x'")
    if (!'imsu'.includes(option)) throw new CommandError(51108, `invalid flag in regex options: ${option}`)
  }
  const flags = `${options.replaceAll('u', '')}u`
  for (const source of [pattern, pattern.replace(NEEDLESS_ESCAPE, (whole, char) => (char === '\\' ? whole : char))]) {
    try {
      return new RegExp(source, flags)
    } catch {
      // The second source has no needless escapes; a pattern that neither compiles is refused.
    }
  }
  throw new CommandError(51091, `Regular expression is invalid: ${pattern}`)
}

function regex(operand: Value, siblings: Document): FieldTest {
  if (typeof operand !== 'string' && !isRegex(operand)) throw new CommandError(2, '$regex has to be a string')
  const { pattern, options: own } = isRegex(operand) ? operand : { pattern: operand, options: '' }
  const given = siblings.get('$options') ?? ''
  if (typeof given !== 'string') throw new CommandError(2, '$options has to be a string')
  if (given !== '' && own !== '') throw new CommandError(51075, 'options set in both $regex and $options')
  const compiled = compileRegex(pattern, given || own)
  return { test: (value) => typeof value === 'string' && compiled.test(value), reach: 'elements' }
}

export const valueOperators: Readonly<Record<string, OperatorBuilder>> = {
  $eq: (operand) => ({ test: equals(operand), reach: 'elements' }),
  $ne: (operand) => {
    if (isRegex(operand)) throw new CommandError(2, "Can't have regex as arg to $ne.")
    return { test: equals(operand), reach: 'elements', negated: true }
  },
  $gt: ordered(ORDER_TESTS.$gt),
  $gte: ordered(ORDER_TESTS.$gte),
  $lt: ordered(ORDER_TESTS.$lt),
  $lte: ordered(ORDER_TESTS.$lte),
  $in: (operand) => isIn('$in', operand),
  $nin: (operand) => ({ ...isIn('$nin', operand), negated: true }),
  $exists: (operand) => ({ test: (value) => value !== undefined, reach: 'whole', negated: !truthy(operand) }),
  $type: (operand) => {
    const list = Array.isArray(operand) ? operand : [operand]
    if (list.length === 0) throw new CommandError(9, '$type must match at least one type')
    const names = new Set(list.flatMap(typesNamed))
    return { test: (value) => value !== undefined && names.has(typeOf(value).name), reach: 'elements' }
  },
  $mod: modulo,
  $size: (operand) => {
    const size = toDouble(operand)
    if (!Number.isInteger(size)) throw new CommandError(9, 'Failed to parse $size. Expected an integer')
    if (size < 0) throw new CommandError(9, 'Failed to parse $size. Expected a non-negative number')
    return { test: (value) => Array.isArray(value) && value.length === size, reach: 'whole' }
  },
  $regex: regex,
  $options: (_operand, siblings) => {
    if (!siblings.has('$regex')) throw new CommandError(2, '$options needs a $regex')
    return null
  }
}
