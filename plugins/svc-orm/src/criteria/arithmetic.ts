/**
 * Arithmetic in changes: `{ stock: { $add: -2 } }`, read into the parts of a change of the storage port, with what a
 * field must hold before so that it keeps its bounds. Pure.
 */
import {
  type Condition,
  exactProduct,
  type Factor,
  factorOf,
  factorText,
  type IdForm,
  isRecord,
  MOST_FACTOR_DIGITS,
  NOTHING
} from 'svc-stores/table'
import type { CompiledField } from '../entities/compiled-entity.ts'
import { readField } from '../entities/field-values.ts'
import { InvalidValue } from '../errors.ts'
import type { ExactNumber, IsExact } from '../fields/exact-number.ts'
import { rowValue } from '../fields/field-type.ts'
import { type Ends, rangeWithin } from './held-range.ts'

/** Text is an exact number's. */
export type Amount = number | bigint | ExactNumber

/** A value as callers may give it: a date also as text, an exact number also as a number. */
export type Moment<Held> = Held extends Date ? Date | string : IsExact<Held> extends true ? Amount : Held

/**
 * Operators that the database applies to the current value. For null, `$add` and `$sub` begin with 0, `$mul` keeps null, and
 * `$min` and `$max` write the given value. `$mul` of an integer or an exact number takes decimal text of at most 15 digits
 * and rounds half away from zero.
 */
export type Arithmetic<Held> = Held extends Date
  ? { readonly $min: Date | string } | { readonly $max: Date | string }
  : Held extends number
    ? NumberArithmetic<number>
    : IsExact<Held> extends true
      ? NumberArithmetic<Amount>
      : never

type NumberArithmetic<Given> =
  | { readonly $add: Given }
  | { readonly $sub: Given }
  | { readonly $mul: Amount | string }
  | { readonly $min: Given }
  | { readonly $max: Given }

export type ComputedPart = 'add' | 'mul' | 'min' | 'max'

/** What is written into one field. */
export interface ReadArithmetic {
  readonly part: ComputedPart
  readonly value: number | bigint | string | Date
  /** Absent: whatever the field holds, its bounds are kept. */
  readonly keeps?: KeptBounds
}

/** What a field must hold before, so that it is within its bounds afterwards. */
export interface KeptBounds {
  readonly field: string
  readonly conditions: readonly Condition[]
  /** For messages. */
  readonly expected: string
}

const OPERATORS = ['$add', '$sub', '$mul', '$min', '$max'] as const

/** Whether a given value is an operator. A field of JSON takes every object for itself. */
export function isArithmetic({ fieldType }: CompiledField, given: unknown): given is Readonly<Record<string, unknown>> {
  if (!isRecord(given) || fieldType.storage === 'json') return false
  return Object.keys(given)[0]?.startsWith('$') === true
}

/** @throws InvalidValue */
export function readArithmetic(
  field: CompiledField,
  given: Readonly<Record<string, unknown>>,
  ids: IdForm
): ReadArithmetic {
  const [name = '', ...more] = Object.keys(given)
  const operator = OPERATORS.find((each) => each === name)
  if (operator === undefined || more.length > 0) {
    throw new InvalidValue(field.name, `a value, or one of the operators ${OPERATORS.join(', ')}`)
  }
  if (operator === '$min' || operator === '$max') return readBound(field, operator, given[operator], ids)
  if (!canAdd(field)) {
    const reason = `the database computes with numbers, and a field of the type ${field.type} holds ${field.array ? 'a list' : 'none'}`
    throw new InvalidValue(`${field.name} ${operator}`, `a plain value, because ${reason}`)
  }
  return operator === '$mul' ? readProduct(field, given.$mul) : readSum(field, operator, given[operator])
}

/** Whether sums of two values of a field are values of it: those of a narrow type may be none. */
export function canAdd({ array, fieldType }: CompiledField): boolean {
  return !array && fieldType.can.add && fieldType.narrow !== true
}

/** @throws InvalidValue for what has no order */
export function readBound(
  field: CompiledField,
  operator: '$min' | '$max',
  given: unknown,
  ids: IdForm
): ReadArithmetic {
  const value = given === null || given === undefined ? null : readField(field, given, ids)
  if (typeof value !== 'number' && typeof value !== 'bigint' && !(value instanceof Date)) {
    throw new InvalidValue(`${operator}.${field.name}`, 'a number or a date, of a field that holds one')
  }
  return { part: operator === '$min' ? 'min' : 'max', value }
}

function readSum(field: CompiledField, operator: '$add' | '$sub', given: unknown): ReadArithmetic {
  const { fieldType, rule } = field
  const read = fieldType.read(given, field) as number | bigint | undefined
  // Of 64 bits one integer has no opposite.
  const delta =
    operator === '$add' || read === undefined ? read : fieldType.read(opposite(read), { ...field, scale: 0 })
  if (delta === undefined) {
    throw new InvalidValue(field.name, `${fieldType.expected(field)}, to ${operator === '$add' ? 'add' : 'subtract'}`)
  }
  const value = delta as number | bigint
  const { least = null, greatest = null } = rule ?? {}
  if (least === null && greatest === null) return { part: 'add', value }
  const before = (bound: number | bigint) => (bound as number) - (value as number)
  const held: Ends = { from: least === null ? null : before(least), to: greatest === null ? null : before(greatest) }
  const fitsAlone = (least === null || value >= least) && (greatest === null || value <= greatest)
  return { part: 'add', value, keeps: keptBounds(field, held, fitsAlone, 'sum') }
}

function readProduct(field: CompiledField, given: unknown): ReadArithmetic {
  const { storage } = field.fieldType
  const factor = readFactor(given)
  const times = Number(typeof given === 'string' || typeof given === 'bigint' ? String(given) : Number.NaN)
  if (storage === 'float') {
    const value = typeof given === 'number' ? given : factor === null ? Number.NaN : times
    if (!Number.isFinite(value)) throw new InvalidValue(`${field.name} $mul`, 'a finite number to multiply by')
    return product(field, value, (held) => (held as number) * value)
  }
  if (factor === null) {
    const expected = `a factor of at most ${MOST_FACTOR_DIGITS} digits, such as '1.1'`
    throw new InvalidValue(`${field.name} $mul`, expected)
  }
  return product(field, factorText(factor), (held) => exactProduct(BigInt(held), factor), factor.digits < 0n)
}

function product(
  field: CompiledField,
  value: string | number,
  times: (held: number | bigint) => number | bigint,
  falls = typeof value === 'number' && value < 0
): ReadArithmetic {
  const { least = null, greatest = null } = field.rule ?? {}
  if (least === null && greatest === null) return { part: 'mul', value }
  const held = rangeWithin({ times, falls, least, greatest, storage: field.fieldType.storage })
  return { part: 'mul', value, keeps: keptBounds(field, held, field.nullable, 'product') }
}

/** A number says what it prints. */
function readFactor(given: unknown): Factor | null {
  const isText = typeof given === 'string' || typeof given === 'bigint'
  return isText || (typeof given === 'number' && Number.isFinite(given)) ? factorOf(String(given)) : null
}

function keptBounds(field: CompiledField, held: Ends | null, nullFits: boolean, what: string): KeptBounds {
  const { name, fieldType, rule } = field
  const own: Condition[] = []
  if (held === null) own.push(NOTHING)
  else {
    if (held.from !== null) own.push({ field: name, operator: 'gte', value: held.from })
    if (held.to !== null) own.push({ field: name, operator: 'lte', value: held.to })
  }
  const isNull: Condition = { field: name, operator: 'null', value: true }
  const shown = (bound: number | bigint) => String(rowValue(fieldType, bound, field))
  const [from, to] = [rule?.least ?? Number.NEGATIVE_INFINITY, rule?.greatest ?? Number.POSITIVE_INFINITY].map(shown)
  return {
    field: name,
    conditions: nullFits && own.length > 0 ? [{ operator: 'any', of: [own, [isNull]] }] : own,
    expected: `a ${what} from ${from} to ${to}`
  }
}

/** Adding 0 makes 0 of -0. */
function opposite(value: number | bigint): number | bigint {
  return typeof value === 'bigint' ? -value : -value + 0
}
