/** The columns of store tables, in words. */
import type { ColumnDefinition } from '../schema/table-definition.ts'

export function text(name: string): ColumnDefinition {
  return { name, type: 'text' }
}

export function optionalText(name: string): ColumnDefinition {
  return { name, type: 'text', nullable: true }
}

/** A time in epoch milliseconds, or a count. */
export function integer(name: string): ColumnDefinition {
  return { name, type: 'integer' }
}

export function optionalInteger(name: string): ColumnDefinition {
  return { name, type: 'integer', nullable: true }
}

export function flag(name: string): ColumnDefinition {
  return { name, type: 'boolean' }
}

/** A list of texts, or of plain objects of texts. */
export function list(name: string): ColumnDefinition {
  return { name, type: 'json' }
}

/** JSON of a caller, given back as it came. */
export function freeJson(name: string): ColumnDefinition {
  return { name, type: 'json-text' }
}

export function optionalFreeJson(name: string): ColumnDefinition {
  return { name, type: 'json-text', nullable: true }
}

/** The column that searches of another one read: its text in lower case. See `fold`. */
export function foldOf(name: string): ColumnDefinition {
  return { name: foldName(name), type: 'text', nullable: true }
}

export function foldName(name: string): string {
  return `${name}Folded`
}

/**
 * Text as searches compare it. Done here and not by the databases, which know the capitals of ASCII alone, or those of a
 * locale.
 */
export function fold(value: unknown): string | null {
  return typeof value === 'string' ? value.toLowerCase() : null
}
