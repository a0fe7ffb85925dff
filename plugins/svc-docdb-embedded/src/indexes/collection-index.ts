/**
 * One index of a collection: keys in order, each with the number of its record. It holds the keys of every version
 * that a reader may still see, so a reader tests the document again.
 */
import { CommandError } from '../failure/command-error.ts'
import { isPosition } from '../query/paths.ts'
import { compareValues } from '../values/compare-values.ts'
import { type Document, isDocument, type Value } from '../values/value.ts'
import type { IndexDefinition } from './index-definition.ts'
import { SortedList } from './sorted-list.ts'

/** `undefined` stands for an empty array; an absent field is null. */
export type IndexKey = readonly (Value | undefined)[]

export interface IndexEntry {
  readonly key: IndexKey
  readonly record: number
}

/** A range of an index; both tests stay true once they are, in the order of the index. */
export interface IndexRange {
  readonly begins: (key: IndexKey) => boolean
  readonly ends: (key: IndexKey) => boolean
}

export class CollectionIndex {
  readonly definition: IndexDefinition
  readonly #entries: SortedList<IndexEntry>
  readonly #keys = new WeakMap<Document, IndexKey[]>()
  #multikey = false

  constructor(definition: IndexDefinition) {
    this.definition = definition
    this.#entries = new SortedList((a, b) => this.compare(a.key, b.key) || a.record - b.record)
  }

  /** Whether some document has more than one key; it stays so. */
  get multikey(): boolean {
    return this.#multikey
  }

  keysOf(document: Document): IndexKey[] {
    const known = this.#keys.get(document)
    if (known !== undefined) return known
    const keys = indexKeys(this.definition, document)
    this.#keys.set(document, keys)
    return keys
  }

  /** Compares as many fields as the shorter key has, each in its direction. */
  compare(a: IndexKey, b: IndexKey): number {
    const length = Math.min(a.length, b.length)
    for (let index = 0; index < length; index++) {
      const difference = compareValues(a[index], b[index])
      if (difference !== 0) return difference * (this.definition.fields[index]?.direction ?? 1)
    }
    return 0
  }

  /** Moves a record from the keys of the versions it had to those of the versions it has. */
  replace(record: number, before: readonly Document[], after: readonly Document[]): void {
    const keys = after.flatMap((document) => this.keysOf(document))
    if (after.some((document) => this.keysOf(document).length > 1)) this.#multikey = true
    for (const key of before.flatMap((document) => this.keysOf(document))) {
      if (!keys.some((kept) => this.compare(kept, key) === 0)) this.#entries.remove({ key, record })
    }
    for (const key of keys) this.#entries.add({ key, record })
  }

  /** Whether the document has the key. */
  holds(document: Document | null, key: IndexKey): boolean {
    return document !== null && this.keysOf(document).some((other) => this.compare(other, key) === 0)
  }

  entries({ begins, ends }: IndexRange, direction: 1 | -1): Generator<IndexEntry> {
    const first = ({ key }: IndexEntry) => begins(key)
    const last = ({ key }: IndexEntry) => ends(key)
    return direction === 1 ? this.#entries.range(first, last) : this.#entries.reversed(first, last)
  }

  /** The numbers of the records that have exactly this key. */
  recordsAt(key: IndexKey): number[] {
    const begins = (other: IndexKey) => this.compare(other, key) >= 0
    const ends = (other: IndexKey) => this.compare(other, key) > 0
    return [...this.entries({ begins, ends }, 1)].map(({ record }) => record)
  }
}

/** How far a field has come: what is reached, and the names still to go. `present` is false where a name was missing. */
interface Step {
  readonly value: Value | undefined
  readonly rest: readonly string[]
  readonly present: boolean
  /** An array that was already entered is a value of its own. */
  readonly done: boolean
}

/**
 * The keys of a document: one for each element where a field meets an array. Two fields of one index may share an
 * array, never meet two.
 *
 * @throws CommandError 171 when two fields of the index meet different arrays
 */
export function indexKeys({ fields, sparse, partial }: IndexDefinition, document: Document): IndexKey[] {
  if (partial !== null && !partial.matches(document)) return []
  const start = fields.map(({ parts }): Step => ({ value: document, rest: parts, present: true, done: false }))
  return expand(start)
    .filter((steps) => !sparse || steps.some(({ present }) => present))
    .map((steps) => steps.map(({ value, present }) => (present ? value : null)))
}

function expand(steps: readonly Step[]): (readonly Step[])[] {
  const reached = steps.map(advance)
  const arrays = new Set(reached.flatMap(({ value, done }) => (!done && Array.isArray(value) ? [value] : [])))
  if (arrays.size > 1) throw new CommandError(171, 'cannot index parallel arrays')
  const [array] = arrays
  if (array === undefined) return [reached]
  const elements = array.length === 0 ? [undefined] : array
  return elements.flatMap((element) =>
    expand(reached.map((step) => (step.value === array ? enter(step, element) : step)))
  )
}

/** Follows names through documents up to the end of the path, or to an array. */
function advance(step: Step): Step {
  let { value, rest } = step
  if (step.done) return step
  while (rest.length > 0) {
    const [name = ''] = rest
    if (Array.isArray(value)) {
      if (!isPosition(name)) return { ...step, value, rest }
      value = value[Number(name)]
    } else {
      value = isDocument(value) ? value.get(name) : undefined
    }
    if (value === undefined) return { value, rest: [], present: false, done: true }
    rest = rest.slice(1)
  }
  return { value, rest, present: value !== undefined, done: !Array.isArray(value) }
}

function enter(step: Step, element: Value | undefined): Step {
  if (step.rest.length === 0) return { value: element, rest: [], present: true, done: true }
  if (isDocument(element)) return { ...step, value: element }
  return { value: undefined, rest: [], present: false, done: true }
}
