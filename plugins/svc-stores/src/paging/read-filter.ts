/**
 * Checks a filter before a driver builds a query of it. A misspelt key or an
 * `undefined` value would widen the query; an object would be an operator. Pure.
 */
import { InvalidFilter } from '../errors.ts'

export type FilterType = 'text' | 'boolean' | 'integer'

/** @returns the filter itself @throws InvalidFilter */
export function readFilter<Filter extends object>(filter: Filter, types: Readonly<Record<string, FilterType>>): Filter {
  for (const [name, value] of Object.entries(filter)) {
    const type = Object.hasOwn(types, name) ? types[name] : undefined
    if (type === undefined) throw new InvalidFilter(name, `one of ${Object.keys(types).join(', ')}`)
    if (!matches(type, value)) throw new InvalidFilter(name, type === 'text' ? 'text' : `a value of type ${type}`)
  }
  return filter
}

function matches(type: FilterType, value: unknown): boolean {
  if (type === 'text') return typeof value === 'string'
  return type === 'boolean' ? typeof value === 'boolean' : Number.isSafeInteger(value)
}
