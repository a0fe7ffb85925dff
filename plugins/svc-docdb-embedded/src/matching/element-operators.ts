/** `$exists`, `$type` and `$mod`: what a field is, whatever its value is compared to. */
import { CommandError } from '../failure/command-error.ts'
import { approximate } from '../values/exact-number.ts'
import { isNumber, type TypeName, typeName, type Value } from '../values/value.ts'
import type { OperatorBuilder } from './condition.ts'

const TYPE_NUMBERS: Readonly<Record<number, TypeName>> = {
  1: 'double',
  2: 'string',
  3: 'object',
  4: 'array',
  5: 'binData',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  10: 'null',
  11: 'regex',
  13: 'javascript',
  14: 'symbol',
  16: 'int',
  17: 'timestamp',
  18: 'long',
  19: 'decimal',
  [-1]: 'minKey',
  255: 'minKey',
  127: 'maxKey'
}

const TYPE_NAMES: ReadonlySet<string> = new Set(Object.values(TYPE_NUMBERS))
const NUMBERS: readonly string[] = ['int', 'long', 'double', 'decimal']

export const elementOperators: Readonly<Record<string, OperatorBuilder>> = {
  $exists: (operand) => ({
    test: (value) => value !== undefined,
    reach: 'whole',
    negated: !truthy(operand)
  }),
  $type: (operand) => {
    const list = Array.isArray(operand) ? operand : [operand]
    if (list.length === 0) throw new CommandError(9, '$type must match at least one type')
    const names = new Set(list.flatMap(typesNamed))
    return { test: (value) => value !== undefined && names.has(typeName(value)), reach: 'elements' }
  },
  $mod: (operand) => {
    if (!Array.isArray(operand)) throw new CommandError(2, 'malformed mod, needs to be an array')
    const [divisor, remainder] = operand.map(wholeNumber)
    if (divisor === undefined || remainder === undefined || operand.length !== 2) {
      throw new CommandError(2, `malformed mod, ${operand.length < 2 ? 'not enough' : 'too many'} elements`)
    }
    if (divisor === 0) throw new CommandError(2, 'divisor cannot be 0')
    return {
      test: (value) => isNumber(value) && Math.trunc(approximate(value)) % divisor === remainder,
      reach: 'elements'
    }
  }
}

/** What a flag means: false, null, zero and absence are no. */
export function truthy(value: Value | undefined): boolean {
  if (value === undefined || value === null) return false
  return isNumber(value) ? approximate(value) !== 0 : value !== false
}

function typesNamed(value: Value): string[] {
  if (value === 'number') return [...NUMBERS]
  const name = isNumber(value) ? TYPE_NUMBERS[approximate(value)] : value
  if (typeof name === 'string' && TYPE_NAMES.has(name)) return [name]
  if (isNumber(value)) throw new CommandError(2, `Invalid numerical type code: ${value.toString()}`)
  if (typeof value === 'string') throw new CommandError(2, `Unknown type name alias: ${value}`)
  throw new CommandError(14, 'type must be represented as a number or a string')
}

function wholeNumber(value: Value): number {
  if (!isNumber(value) || !Number.isFinite(approximate(value))) {
    throw new CommandError(2, 'malformed mod, its elements must be finite numbers')
  }
  return Math.trunc(approximate(value))
}
