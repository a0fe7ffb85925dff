/**
 * Whether a value is one that a field of a type can hold, in the one form that
 * drivers see: dates as `Date`, numbers without -0. Pure; nothing is coerced.
 */
import type { ConditionValue } from '../criteria/condition.ts'
import type { FieldType } from '../entity/entity-definition.ts'
import { readDate } from './read-date.ts'

export type ScalarType = Exclude<FieldType, 'json'>

/** @returns `undefined` when the value is of another type, null included */
export function readScalar(type: ScalarType, given: unknown): ConditionValue | undefined {
  switch (type) {
    case 'string':
    case 'text':
    case 'id':
      return typeof given === 'string' && isStorableText(given) ? given : undefined
    case 'integer':
      // Adding 0 makes 0 of -0.
      return Number.isSafeInteger(given) ? (given as number) + 0 : undefined
    case 'float':
      return Number.isFinite(given) ? (given as number) + 0 : undefined
    case 'boolean':
      return typeof given === 'boolean' ? given : undefined
    case 'date':
      return readDate(given)
  }
}

/** Databases differ on NUL and on half a surrogate pair: none gets them. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text)
}

const EXPECTED: Readonly<Record<ScalarType, string>> = {
  string: 'text without NUL or lone surrogates',
  text: 'text without NUL or lone surrogates',
  id: 'an id',
  integer: 'a safe integer',
  float: 'a finite number',
  boolean: 'true or false',
  date: 'a Date or ISO 8601 text with a time zone, in the years 1 to 9999'
}

/** For messages. */
export function expectedScalar(type: ScalarType): string {
  return EXPECTED[type]
}
