/** A decorator as it was written, for messages: `@IsGranted(['A', 'B'])`. */
export function showCall(name: string, args: readonly unknown[]): string {
  const given = args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1)
  return `@${name}(${given.map(show).join(', ')})`
}

function show(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, each]) => `${key}: ${show(each)}`)
      .join(', ')} }`
  }
  return typeof value === 'function' ? 'function' : String(value)
}
