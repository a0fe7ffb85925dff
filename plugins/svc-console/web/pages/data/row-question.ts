/** What the address asks of the rows, as the API takes it. Pure. */
import type { Column, Entity } from './data-api.ts'

/** @returns JSON of the one field that is filtered by; `null` without a filter */
export function whereOf({ columns }: Pick<Entity, 'columns'>, query: URLSearchParams): string | null {
  const name = query.get('field')
  const column = columns.find((each) => each.name === name)
  if (column === undefined) return null
  return JSON.stringify({ [column.name]: query.has('null') ? null : typed(column, query.get('value') ?? '') })
}

/** A value of the field's type; what is none stays text, and the server says what it expects. */
function typed({ type }: Column, text: string): unknown {
  switch (type.replace('[]', '')) {
    case 'integer':
    case 'float':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

/** Rows are walked through by fields that are never null. */
export function isSortable(column: Column): boolean {
  return !column.nullable && !column.type.endsWith('[]') && isComparable(column)
}

export const isComparable = ({ type }: Column): boolean => !/^(?:json|bytes)/.test(type)
