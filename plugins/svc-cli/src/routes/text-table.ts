/** Rows as text in columns that are as wide as they need to be. Pure. */

/** Left-aligned, two spaces between columns, nothing after the last. */
export function textTable(heads: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => (row[column] ?? '').length)))
  return [heads, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()
    )
    .join('\n')
}
