/** The place between two pages: what the last row of the one holds in the columns of the order, as text. Pure. */
import { type ConditionValue, type IdForm, isRecord, type SortKey } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { idFormOf } from '../entities/existing-table.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions } from '../errors.ts'
import { fieldOf } from './field-criteria.ts'
import { TIES } from './parse-find-options.ts'

export function encodeCursor(order: readonly SortKey[], row: AnyRow): string {
  const place = { by: order.map(written), at: order.map(({ field }) => row[field] as unknown) }
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Rows of a page whose caller names no limit. */
export const DEFAULT_PAGE = 50

/** The place behind a page. @param rows one more than the page has, if another one follows @returns `null` behind the last page */
export function cursorBehind(rows: readonly AnyRow[], limit: number, order: readonly SortKey[]): string | null {
  const end = rows[limit - 1]
  return rows.length > limit && end !== undefined ? encodeCursor(order, end) : null
}

/** A place, and the order that it lies in. */
export interface Place {
  readonly order: readonly SortKey[]
  /** With the columns of the order, as columns hold them. */
  readonly row: AnyRow
}

/** @throws InvalidFindOptions for anything that the order did not give */
export function decodeCursor(entity: CompiledEntity, asked: readonly SortKey[], cursor: unknown, ids: IdForm): Place {
  const { by, at } = typeof cursor === 'string' ? parsed(cursor) : {}
  const order = [asked, ...formerOrder(asked)].find(
    (each) => Array.isArray(by) && by.join() === each.map(written).join()
  )
  if (order === undefined || !Array.isArray(at) || at.length !== order.length) throw new NotACursor()
  const values = order.map(({ field }, place) => [field, placeIn(entity, field, at[place], ids)] as const)
  return { order, row: Object.fromEntries(values) as AnyRow }
}

/** Earlier versions let ties ascend in any order. A page behind such a cursor keeps its order, so that each row comes once. */
function formerOrder(asked: readonly SortKey[]): readonly SortKey[][] {
  return asked.at(-1) === TIES.DESC ? [[...asked.slice(0, -1), TIES.ASC]] : []
}

function placeIn(entity: CompiledEntity, name: string, given: unknown, ids: IdForm): ConditionValue {
  const field = fieldOf(entity, name)
  const value = field.fieldType.can.compare ? field.fieldType.read(given, field) : undefined
  if (value === undefined || (field.type === 'id' && !idFormOf(field, ids).accepts(value as string)))
    throw new NotACursor()
  return value as ConditionValue
}

function parsed(cursor: string): { readonly by?: unknown; readonly at?: unknown } {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return isRecord(place) ? place : {}
  } catch {
    return {}
  }
}

function written({ field, direction }: SortKey): string {
  return `${field} ${direction}`
}

class NotACursor extends InvalidFindOptions {
  constructor() {
    super('after', 'the `next` of the previous page, with the same order')
  }
}
