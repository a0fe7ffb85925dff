/** JavaScript values as SQLite binds them: booleans as 0 and 1, moments as epoch milliseconds. */
import type { SQLInputValue } from 'node:sqlite'

/** The same list where nothing has to change. @throws TypeError for a value that no column can hold */
export function encodeParameters(values: readonly unknown[]): readonly SQLInputValue[] {
  return values.every(isBindable) ? values : values.map(bindable)
}

function isBindable(value: unknown): value is SQLInputValue {
  const type = typeof value
  return type === 'string' || type === 'number' || value === null || type === 'bigint' || value instanceof Uint8Array
}

function bindable(value: unknown): SQLInputValue {
  if (isBindable(value)) return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.getTime()
  throw new TypeError(`a ${value === undefined ? 'value that is undefined' : typeof value} cannot be a parameter`)
}
