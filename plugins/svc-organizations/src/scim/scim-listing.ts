/**
 * Listings of SCIM as queries of the store: filter, order and page. Attributes that are columns take every operator; those of
 * a profile take `eq`, `ne` and `pr`, which its terms answer. Anything else is refused, and never looked for in memory. Pure.
 */
import { all, any, type Condition, except, fold, held, holding, isNull, type Where } from 'svc-stores/table'
import { termOf } from '../records/profile-terms.ts'
import type { RowQuery } from '../records/searched-rows.ts'
import { ScimError } from './scim-error.ts'
import { namesOf, type ScimFilter } from './scim-filter.ts'

export interface ScimListing {
  readonly filter: ScimFilter | null
  readonly sortBy: string | null
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
}

/**
 * A column behind an attribute: text that is compared as it is, or folded; a flag; epoch ms that are shown as ISO 8601; or a
 * list of texts.
 */
export interface ScimColumn {
  readonly field: string
  readonly kind: 'exact' | 'folded' | 'flag' | 'time' | 'items'
}

/** By their path in lower case. */
export type ScimColumns = Readonly<Record<string, ScimColumn>>

export const META: ScimColumns = {
  'meta.created': { field: 'createdAt', kind: 'time' },
  'meta.lastmodified': { field: 'updatedAt', kind: 'time' }
}

type Compare = Extract<ScimFilter, { readonly kind: 'compare' }>
type AnyRow = Record<string, never>
type AnyWhere = Where<AnyRow>

/** @param terms the column with the terms of a profile; absent: there is none @throws ScimError (400) */
export function rowQuery<Row>(listing: ScimListing, columns: ScimColumns, terms: string | null = null): RowQuery<Row> {
  const { filter, sortBy, descending, limit, offset } = listing
  const where = filter === null ? {} : { where: new Query(columns, terms).where(filter) as Where<Row> }
  const page = { ...where, limit, offset }
  if (sortBy === null) return page
  const column = columns[namesOf(sortBy).join('.').toLowerCase()]
  if (column === undefined || column.kind === 'items') {
    const known = Object.keys(columns).join(', ')
    throw new ScimError(400, `Resources are not sorted by this attribute; they are by ${known}`, 'invalidPath')
  }
  return { ...page, order: { field: column.field, direction: descending ? 'DESC' : 'ASC' } }
}

class Query {
  readonly #columns: ScimColumns
  readonly #terms: string | null

  constructor(columns: ScimColumns, terms: string | null) {
    this.#columns = columns
    this.#terms = terms
  }

  where(filter: ScimFilter): AnyWhere {
    switch (filter.kind) {
      case 'and':
        return all(...filter.of.map((each) => this.where(each)))
      case 'or':
        return any(...filter.of.map((each) => this.where(each)))
      case 'not':
        return except(this.where(filter.of))
      case 'some':
        return this.#some(filter.path.join('.'), filter.of)
      default:
        return this.#compare(filter)
    }
  }

  #compare({ path, op, value }: Compare): AnyWhere {
    const name = path.join('.').toLowerCase()
    const column = this.#columns[name]
    if (column === undefined) return this.#term(name, op, value)
    if (op === 'ne') return except(asked(column, name, 'eq', value))
    return asked(column, name, op, value)
  }

  /** `emails[type eq "work" and value eq "…"]` and the like. */
  #some(path: string, of: ScimFilter): AnyWhere {
    const asked = conjunction(of)
    const [one, other] = asked ?? []
    // Of each item, that is: what is not equal in one may be so in another.
    const isAnswered = asked?.every(({ op, value }) => op === 'pr' || (op === 'eq' && value !== null)) === true
    if (one === undefined || asked === null || asked.length > 2 || !isAnswered)
      return refuse('this filter of values', path)
    if (other === undefined) return this.#compare({ ...one, path: [path, ...one.path] })
    const chooses = ({ path: [name = ''] }: Compare) => ['type', 'primary'].includes(name.toLowerCase())
    const [choice, asks] = chooses(one) ? [one, other] : [other, one]
    if (!chooses(choice) || choice.op !== 'eq') return refuse('this filter of values', path)
    const value = `${path}[${choice.path[0]}=${String(choice.value)}].${asks.path.join('.')}`
    return this.#term(value, asks.op, asks.value)
  }

  /** An attribute that is no column. */
  #term(path: string, op: string, value: unknown): AnyWhere {
    if (this.#terms === null) return op === 'ne' ? except(NONE) : NONE
    const has = (term: string) => where(this.#terms as string, holding(term))
    if (op === 'pr') return has(termOf(path))
    if (op !== 'eq' && op !== 'ne') return refuse(op, path)
    const equal = value === null ? except(has(termOf(path))) : has(termOf(path, value))
    return op === 'eq' ? equal : except(equal)
  }
}

/** Rows whose column is so. @param name what the filter calls it */
function asked({ field, kind }: ScimColumn, name: string, op: string, value: unknown): AnyWhere {
  if (op === 'pr') return kind === 'items' ? refuse(op, name) : where(field, held)
  if (value === null) return op === 'eq' ? where(field, isNull) : NONE
  if (kind === 'flag') return op === 'eq' ? where(field, flagOf(value)) : refuse(op, name)
  if (kind === 'items') return op === 'eq' ? where(field, holding(String(value))) : refuse(op, name)
  if (kind === 'time') return compared(field, op, timeOf(value)) ?? refuse(op, name)
  if (typeof value !== 'string') return NONE
  return compared(field, op, kind === 'folded' ? fold(value) : value) ?? refuse(op, name)
}

/** Meets no row. */
const NONE: AnyWhere = any()

const ORDERED: Readonly<Record<string, 'eq' | 'gt' | 'gte' | 'lt' | 'lte'>> = {
  eq: 'eq',
  gt: 'gt',
  ge: 'gte',
  lt: 'lt',
  le: 'lte'
}
const PATTERNS: Readonly<Record<string, (text: string) => string>> = {
  co: (text) => `%${text}%`,
  sw: (text) => `${text}%`,
  ew: (text) => `%${text}`
}

function where(field: string, value: unknown): AnyWhere {
  return { [field]: value } as AnyWhere
}

/** @returns `null` for an operator that such values do not have */
function compared(field: string, op: string, value: string | number): readonly Condition[] | null {
  const operator = ORDERED[op]
  if (operator !== undefined) return [{ field, operator, value }]
  const pattern = PATTERNS[op]
  if (pattern === undefined || typeof value !== 'string') return null
  return [{ field, operator: 'like', pattern: pattern(value.replace(/[\\%_]/g, '\\$&')) }]
}

/** The comparisons that are joined by `and`; `null` for anything else. */
function conjunction(filter: ScimFilter): readonly Compare[] | null {
  if (filter.kind === 'compare') return [filter]
  if (filter.kind !== 'and') return null
  const [left, right] = [conjunction(filter.of[0]), conjunction(filter.of[1])]
  return left === null || right === null ? null : [...left, ...right]
}

/** Entra asks for `active eq "True"`. */
function flagOf(value: unknown): boolean {
  const text = String(value).toLowerCase()
  if (text === 'true' || text === 'false') return text === 'true'
  throw new ScimError(400, 'the filter is not valid: a flag is true or false', 'invalidFilter')
}

function timeOf(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw new ScimError(400, 'the filter is not valid: a time is ISO 8601', 'invalidFilter')
}

function refuse(what: string, path: string): never {
  throw new ScimError(400, `the filter is not supported: ${what} at ${path}`, 'invalidFilter')
}
