/**
 * One index of a collection: keys in order, each with the number of its record. It holds the keys of every version
 * that someone may still see, so whoever reads through it tests the document again.
 */
import { compareValues } from '../ordering/compare-values.ts'
import type { Document } from '../values/value.ts'
import type { IndexDefinition } from './index-definition.ts'
import { type IndexKey, indexKeys } from './index-keys.ts'
import { SortedList } from './sorted-list.ts'

export interface IndexEntry {
  readonly key: IndexKey
  readonly record: number
}

/** A stretch of an index; both tests stay true once they are, in the order of the index. */
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

  /** Whether some document stands here more than once; it stays so. */
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

  /** Whether the document stands under the key. */
  holds(document: Document | null, key: IndexKey): boolean {
    return document !== null && this.keysOf(document).some((other) => this.compare(other, key) === 0)
  }

  entries({ begins, ends }: IndexRange, direction: 1 | -1): Generator<IndexEntry> {
    const first = ({ key }: IndexEntry) => begins(key)
    const last = ({ key }: IndexEntry) => ends(key)
    return direction === 1 ? this.#entries.range(first, last) : this.#entries.reversed(first, last)
  }

  /** The numbers of the records that stand under exactly this key. */
  recordsAt(key: IndexKey): number[] {
    const begins = (other: IndexKey) => this.compare(other, key) >= 0
    const ends = (other: IndexKey) => this.compare(other, key) > 0
    return [...this.entries({ begins, ends }, 1)].map(({ record }) => record)
  }
}
