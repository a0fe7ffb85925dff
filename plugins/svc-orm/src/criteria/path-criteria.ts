/** What criteria ask of JSON at a path: numbers, texts and booleans, each compared with its own kind. Pure. */
import { type Comparison, type Condition, hasOnlyStorableText, isRecord, NOTHING } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { InvalidCriteria } from '../errors.ts'
import { isJson, parsePath } from './json-path.ts'

const ORDERED: Readonly<Record<string, Comparison>> = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' }
const KNOWN = '$eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $null or $exists'

type Scalar = string | number | boolean

interface Place {
  readonly field: string
  readonly operator: 'path'
  readonly path: readonly string[]
}

/** @returns `null` for a name that is no path into JSON @throws InvalidCriteria */
export function parsePathCriteria(entity: CompiledEntity, name: string, given: unknown): readonly Condition[] | null {
  const dot = name.indexOf('.')
  const field = dot === -1 ? undefined : entity.fields.get(name.slice(0, dot))
  if (field === undefined || !isJson(field)) return null
  const shown = JSON.stringify(name.slice(0, 100)).slice(1, -1)
  if (field.sealed !== undefined) throw new InvalidCriteria(shown, 'a field that is not sealed')
  const place: Place = { field: field.name, operator: 'path', path: parsePath(name.slice(dot + 1), shown) }
  if (!isRecord(given)) return [parseOperator(place, Array.isArray(given) ? '$in' : '$eq', given, shown)]
  const operators = Object.keys(given)
  if (operators.length === 0) throw new InvalidCriteria(shown, 'a value, a list, or operators such as $gt')
  return operators.map((operator) => parseOperator(place, operator, given[operator], `${shown} ${operator}`))
}

function parseOperator(place: Place, operator: string, given: unknown, at: string): Condition {
  switch (operator) {
    case '$eq':
      return isOneOf(place, [given], at)
    case '$ne':
      return not(isOneOf(place, [given], at))
    case '$in':
    case '$nin': {
      if (!Array.isArray(given)) throw new InvalidCriteria(at, 'a list of values')
      const among = isOneOf(place, Array.from(given as unknown[]), at)
      return operator === '$in' ? among : not(among)
    }
    case '$null':
    case '$exists': {
      if (typeof given !== 'boolean') throw new InvalidCriteria(at, 'true or false')
      if (operator === '$null') return given ? isNull(place) : { ...place, comparison: 'held' }
      const present: Condition = { ...place, comparison: 'present' }
      return given ? present : not(present)
    }
  }
  const comparison = Object.hasOwn(ORDERED, operator) ? ORDERED[operator] : undefined
  if (comparison === undefined) throw new InvalidCriteria(at, KNOWN)
  const value = readScalar(given, at)
  if (typeof value === 'boolean') throw new InvalidCriteria(at, 'a number or a text')
  return { ...place, comparison, value }
}

/** Null is also what is not there. */
function isOneOf(place: Place, values: readonly unknown[], at: string): Condition {
  const conditions = values.map((value): Condition => {
    return value === null ? isNull(place) : { ...place, comparison: 'eq', value: readScalar(value, at) }
  })
  const [only = NOTHING] = conditions
  return conditions.length <= 1 ? only : { operator: 'any', of: conditions.map((each) => [each]) }
}

function isNull(place: Place): Condition {
  return not({ ...place, comparison: 'held' })
}

function not(condition: Condition): Condition {
  return { operator: 'not', of: [condition] }
}

function readScalar(given: unknown, at: string): Scalar {
  if (typeof given === 'boolean' || (typeof given === 'number' && Number.isFinite(given))) return given
  if (typeof given === 'string' && hasOnlyStorableText(given)) return given
  throw new InvalidCriteria(at, 'a number, a text or a boolean')
}
