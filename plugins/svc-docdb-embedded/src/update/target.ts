/** The places in a document that an update changes: read, written and removed along a path without positional parts. */
import { CommandError } from '../failure/command-error.ts'
import { isPosition } from '../query/paths.ts'
import { type Document, isDocument, typeOf, type Value } from '../values/value.ts'

/** Elements an array may grow by when a position beyond its end is set. */
const MAX_PADDING = 1_500_000

type Container = Document | Value[]

/** A copy whose documents and arrays may be changed. */
export function copyOf(document: Document): Document {
  return new Map([...document].map(([name, value]) => [name, copyValue(value)]))
}

function copyValue(value: Value): Value {
  if (isDocument(value)) return copyOf(value)
  return Array.isArray(value) ? value.map(copyValue) : value
}

/** The value at the path, by name in documents and by position in arrays. */
export function readAt(root: Document, parts: readonly string[]): Value | undefined {
  return parts.reduce<Value | undefined>((value, part) => child(value, part), root)
}

/** @throws CommandError 28 when something on the way can hold no field */
export function writeAt(root: Document, parts: readonly string[], value: Value): void {
  const [last = '', ...way] = [...parts].reverse()
  let container: Container = root
  for (const part of way.reverse()) {
    const next = child(container, part)
    if (next === undefined) {
      const created: Document = new Map()
      put(container, part, created)
      container = created
    } else if (isDocument(next) || Array.isArray(next)) {
      container = next
    } else {
      const field = parts[parts.indexOf(part) + 1]
      throw new CommandError(28, `Cannot create field '${field}' in element {${part}: ${typeOf(next).name}}`)
    }
  }
  put(container, last, value)
}

/** Removes the field; in an array null keeps its place. */
export function removeAt(root: Document, parts: readonly string[]): void {
  const [last = ''] = parts.slice(-1)
  const container = readAt(root, parts.slice(0, -1))
  if (isDocument(container)) container.delete(last)
  else if (Array.isArray(container) && child(container, last) !== undefined) container[Number(last)] = null
}

function child(value: Value | undefined, part: string): Value | undefined {
  if (isDocument(value)) return value.get(part)
  return Array.isArray(value) && isPosition(part) ? value[Number(part)] : undefined
}

function put(container: Container, part: string, value: Value): void {
  if (isDocument(container)) {
    container.set(part, value)
    return
  }
  if (!isPosition(part)) throw new CommandError(28, `Cannot create field '${part}' in an element of type array`)
  const position = Number(part)
  if (position - container.length > MAX_PADDING) {
    throw new CommandError(2, `Failed to set the position ${position}: it is too far beyond the end of the array`)
  }
  while (container.length < position) container.push(null)
  container[position] = value
}
