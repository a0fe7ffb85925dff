/**
 * Reads a field of an object that came from elsewhere: its own or its class's,
 * but never one that somebody planted on Object.prototype. A polluted prototype
 * must not give roles, scopes or a name to whoever has none.
 */
export function readField(from: object, name: string): unknown {
  if (Object.hasOwn(Object.prototype, name) && !inheritsBelowRoot(from, name)) return undefined
  return (from as Record<string, unknown>)[name]
}

function inheritsBelowRoot(from: object, name: string): boolean {
  for (let level: object | null = from; level !== null; level = Object.getPrototypeOf(level) as object | null) {
    if (level !== Object.prototype && Object.hasOwn(level, name)) return true
  }
  return false
}
