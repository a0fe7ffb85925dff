/** Copies a row, so that what callers do to theirs changes none that is kept. Keys such as `__proto__` stay plain keys. Pure. */

export function copyRow<Row extends object>(row: Row, without: readonly string[] = []): Row {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) if (!without.includes(name)) copy[name] = copyValue(value)
  return copy as Row
}

function copyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return new Date(value)
  if (Array.isArray(value)) return value.map(copyValue)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyValue(item)]))
}
