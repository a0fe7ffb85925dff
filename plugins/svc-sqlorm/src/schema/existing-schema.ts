/** What a database holds already, as far as the additive schema and its drift need to know. */
import type { IndexMethod } from 'svc-stores/table'
import type { ColumnType } from './table-definition.ts'

export interface ExistingColumn {
  readonly name: string
  /** As the database names it. */
  readonly type: string
  /** The types whose values it keeps and gives back as they were. */
  readonly fits: readonly ColumnType[]
  /** It takes no null. `null` where that cannot be said, as of a view. */
  readonly required: boolean | null
  /** The database fills it where an insert leaves it out. */
  readonly filled: boolean
}

export interface ExistingIndex {
  readonly table: string
  readonly name: string
  /** In order. Empty where it is over expressions. */
  readonly columns: readonly string[]
  /** Of one over some rows only: the condition, as the database says it. */
  readonly where: string | null
  readonly unique: boolean
}

export interface ExistingSchema {
  /** Columns by name, by table. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, ExistingColumn>>
  readonly indexes: readonly ExistingIndex[]
  /** The kinds of index that the database has, besides the usual one. */
  readonly methods: readonly IndexMethod[]
}

/** From the rows of a catalogue. */
export function existingSchema(
  columns: readonly (ExistingColumn & { readonly table: string })[],
  indexes: readonly ExistingIndex[],
  methods: readonly IndexMethod[] = []
): ExistingSchema {
  const tables = new Map<string, Map<string, ExistingColumn>>()
  for (const column of columns) {
    const known = tables.get(column.table) ?? new Map<string, ExistingColumn>()
    tables.set(column.table, known.set(column.name, column))
  }
  return { tables, indexes, methods }
}
