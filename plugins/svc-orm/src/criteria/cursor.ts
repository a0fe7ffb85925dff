/** The place between two pages: what the last row of the one holds in the columns of the order, as text. Pure. */
import { type ConditionValue, isRecord, type SortKey } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { idFormOf } from '../entities/existing-table.ts'
import { rowValueOf } from '../entities/field-values.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions } from '../errors.ts'
import type { FindScope } from './find-scope.ts'
import { sortedField, TIES } from './read-order.ts'

export function encodeCursor(entity: CompiledEntity, order: readonly SortKey[], row: AnyRow, scope: FindScope): string {
  const at = order.map(({ field, by }): unknown => {
    const held: unknown = row[field]
    return by === undefined ? held : rowValueOf(sortedField(entity, field, scope), held)
  })
  const place = { by: order.map(written), at }
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Rows of a page whose caller names no limit. */
export const DEFAULT_PAGE = 50

interface ReadPage {
  /** One more than the page has, if another one follows. */
  readonly rows: readonly AnyRow[]
  readonly limit: number
  readonly order: readonly SortKey[]
}

/** The place behind a page; `null` behind the last one. */
export function cursorBehind(
  entity: CompiledEntity,
  { rows, limit, order }: ReadPage,
  scope: FindScope
): string | null {
  const end = rows[limit - 1]
  return rows.length > limit && end !== undefined ? encodeCursor(entity, order, end, scope) : null
}

/** A place, and the order that it lies in. */
export interface Place {
  readonly order: readonly SortKey[]
  /** With the columns of the order, as columns hold them. */
  readonly row: AnyRow
}

/** @throws InvalidFindOptions for anything that the order did not give */
export function decodeCursor(
  entity: CompiledEntity,
  asked: readonly SortKey[],
  cursor: unknown,
  scope: FindScope
): Place {
  const { by, at } = typeof cursor === 'string' ? parsed(cursor) : {}
  const order = [asked, ...formerOrder(asked)].find(
    (each) => Array.isArray(by) && by.join() === each.map(written).join()
  )
  if (order === undefined || !Array.isArray(at) || at.length !== order.length) throw new NotACursor()
  const values = order.map(({ field }, place) => [field, placeIn(entity, field, at[place], scope)] as const)
  return { order, row: Object.fromEntries(values) as AnyRow }
}

/** Earlier versions let ties ascend in any order. A page behind such a cursor keeps its order, so that each row comes once. */
function formerOrder(asked: readonly SortKey[]): readonly SortKey[][] {
  return asked.at(-1) === TIES.DESC ? [[...asked.slice(0, -1), TIES.ASC]] : []
}

function placeIn(entity: CompiledEntity, name: string, given: unknown, scope: FindScope): ConditionValue {
  const field = sortedField(entity, name, scope)
  const value = field.fieldType.can.compare ? field.fieldType.read(given, field) : undefined
  if (value === undefined || (field.type === 'id' && !idFormOf(field, scope.ids).accepts(value as string)))
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
