/**
 * What a request asks of a listing, and what the listing answers: pages by a limit and an offset, cursors by time, filters. All is
 * checked here, before a driver builds a query of it. Pure.
 */
import { InvalidFilter, InvalidPage, UnknownSortField } from '../errors.ts'

/** Ascending or descending. */
export type Direction = 'ASC' | 'DESC'

/** A field to sort by, and its direction. */
export type SortKey<Field extends string = string> = readonly [field: Field, direction: Direction]

/**
 * Which page a listing returns. A value out of bounds is refused with SVC_STORE_PAGE, an unknown field with
 * SVC_STORE_SORT.
 */
export interface PageQuery<Field extends string = string> {
  /** 1 to 1000; 50 unless told. */
  readonly limit?: number
  /** 0 unless told. */
  readonly offset?: number
  /** Ties are broken by id, ascending, so that no record is shown twice or skipped. */
  readonly order?: readonly SortKey<Field>[]
}

/** One page of a listing. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly limit: number
  readonly offset: number
  readonly hasNext: boolean
}

/** What a listing can be sorted by, and its order by default. No nullable field is sortable. */
export interface SortFields<Field extends string = string> {
  readonly fields: readonly Field[]
  readonly fallback: SortKey<Field>
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1000

export interface CompletePage<Field extends string> {
  readonly limit: number
  readonly offset: number
  /** Ends with a unique key. */
  readonly order: readonly SortKey<Field | 'id'>[]
}

/** @throws UnknownSortField, InvalidPage */
export function readPage<Field extends string>(
  query: PageQuery<Field>,
  { fields, fallback }: SortFields<Field>
): CompletePage<Field> {
  const { limit = DEFAULT_LIMIT, offset = 0, order = [] } = query
  checkInteger('limit', limit, 1, MAX_LIMIT)
  checkInteger('offset', offset, 0, Number.MAX_SAFE_INTEGER)
  if (!Array.isArray(order)) throw new InvalidPage('order', 'a list of [field, direction] pairs')
  const keys: SortKey<Field | 'id'>[] = (order.length > 0 ? order : [fallback]).map((key: unknown) => {
    const [field, direction] = Array.isArray(key) ? (key as unknown[]) : []
    if (!(fields as readonly unknown[]).includes(field)) throw new UnknownSortField(String(field), fields.join(', '))
    if (direction !== 'ASC' && direction !== 'DESC') throw new InvalidPage(`order of ${String(field)}`, 'ASC or DESC')
    return [field as Field, direction]
  })
  const names = keys.map(([field]) => field)
  if (new Set(names).size < names.length) throw new InvalidPage('order', 'a list without repeated fields')
  if (!names.includes('id')) keys.push(['id', 'ASC'])
  return { limit, offset, order: keys }
}

/** @throws InvalidPage */
export function checkInteger(name: string, value: unknown, min: number, max: number): void {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return
  throw new InvalidPage(name, `an integer from ${min} to ${max}`)
}

/** The last item shown, in a listing by time. */
export interface CursorPosition {
  readonly ts: number
  readonly id: string
}

/** `<epoch ms>:<id>` */
const CURSOR = /^(\d{1,15}):([\w-]{1,128})$/

export function encodeCursor({ ts, id }: CursorPosition): string {
  return `${ts}:${id}`
}

/** @throws InvalidPage for anything `encodeCursor` does not give */
export function decodeCursor(cursor: string): CursorPosition {
  const [, ts, id] = CURSOR.exec(cursor) ?? []
  if (ts === undefined || id === undefined) throw new InvalidPage('cursor', 'the nextCursor of the previous page')
  return { ts: Number(ts), id }
}

export type FilterType = 'text' | 'boolean' | 'integer'

/**
 * A misspelt key or an `undefined` value would widen the query; an object would be an operator.
 *
 * @returns the filter itself @throws InvalidFilter
 */
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
