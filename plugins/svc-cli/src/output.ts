/** Where a command writes: results to standard output, everything else to standard error. */

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

export function complain(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** The reader of the output is gone (`svc routes | head`, a closed terminal): the command ends. */
export function endWhenUnread(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(1)
      throw error
    })
  }
}

/**
 * Rows as text in columns that are as wide as they need to be: left-aligned, two spaces between columns, nothing after the last.
 */
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
