/** Checks a page query against the sortable fields of a brick and completes it. Pure; every driver reads pages here. */
import { InvalidPage, UnknownSortField } from '../errors.ts'
import type { PageQuery, SortFields, SortKey } from './page.ts'

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
  if (new Set(names).size < names.length) throw new InvalidPage('order', 'a list in which each field stands once')
  if (!names.includes('id')) keys.push(['id', 'ASC'])
  return { limit, offset, order: keys }
}

/** @throws InvalidPage */
export function checkInteger(name: string, value: unknown, min: number, max: number): void {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return
  throw new InvalidPage(name, `an integer from ${min} to ${max}`)
}
