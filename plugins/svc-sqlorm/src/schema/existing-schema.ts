/** What a database holds already, as far as the additive schema needs to know. */

export interface ExistingSchema {
  /** Columns, by table. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>
  readonly indexes: ReadonlySet<string>
}

/** From the rows of a catalogue. */
export function existingSchema(
  columns: readonly { readonly table: string; readonly column: string }[],
  indexes: readonly { readonly name: string }[]
): ExistingSchema {
  const tables = new Map<string, Set<string>>()
  for (const { table, column } of columns) tables.set(table, (tables.get(table) ?? new Set()).add(column))
  return { tables, indexes: new Set(indexes.map(({ name }) => name)) }
}
