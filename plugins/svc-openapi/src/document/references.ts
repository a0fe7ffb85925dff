/** References within a document: to its components, and to what those refer to. Pure. */

export type Sections = Readonly<Record<string, Readonly<Record<string, object>> | undefined>>

/** `schemas/Order` and the like: what these values refer to, and what that refers to. */
export function reachable(values: readonly unknown[], sections: Sections): Set<string> {
  const found = new Set<string>()
  const open: unknown[] = [...values]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const reference = (value as { $ref?: unknown }).$ref
    const [, section = '', name = ''] =
      typeof reference === 'string' ? (/^#\/components\/([^/]+)\/([^/]+)/.exec(reference) ?? []) : []
    if (section !== '' && !found.has(`${section}/${name}`)) {
      found.add(`${section}/${name}`)
      open.push(sections[section]?.[name])
    }
    open.push(...Object.values(value))
  }
  return found
}

/** The same part, in which each reference is changed. */
export function withReferences(part: unknown, change: (reference: string) => string): unknown {
  if (Array.isArray(part)) return part.map((item) => withReferences(item, change))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? change(value) : withReferences(value, change)
    ])
  )
}

/** A name that is taken gets the word, then a number. */
export function freeName(name: string, word: string, taken: Set<string>): string {
  let free = taken.has(name) ? `${name}.${word}` : name
  for (let number = 2; taken.has(free); number += 1) free = `${name}.${word}.${number}`
  taken.add(free)
  return free
}
