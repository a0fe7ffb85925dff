/** One record: its committed versions, oldest first, and the change a transaction has pending on it. */
import type { Transaction } from '../transactions/transactions.ts'
import type { Document } from '../values/value.ts'

/** `null` is the absence of the document, before its insertion or after its deletion. */
export interface Version {
  readonly document: Document | null
  readonly timestamp: number
}

export class StoredRecord {
  readonly number: number
  versions: readonly Version[] = []
  pending: { readonly document: Document | null; readonly owner: Transaction } | null = null

  constructor(number: number) {
    this.number = number
  }

  /** What a reader sees: the last commit, or in a transaction its own changes over the commits at its start. */
  visible(reader: Transaction | null): Document | null {
    if (reader === null) return this.versions.at(-1)?.document ?? null
    if (this.pending?.owner === reader) return this.pending.document
    return this.versions.findLast(({ timestamp }) => timestamp <= reader.snapshot)?.document ?? null
  }

  get latest(): Document | null {
    return this.versions.at(-1)?.document ?? null
  }

  /** Every document that some reader may still see. */
  get documents(): Document[] {
    const all = [...this.versions.map(({ document }) => document), this.pending?.document ?? null]
    return all.filter((document) => document !== null)
  }

  /** Drops the versions that no reader can see any more. */
  prune(oldestSnapshot: number): void {
    if (this.versions.length < 2 && this.versions[0]?.document !== null) return
    const first = this.versions.findLastIndex(({ timestamp }) => timestamp <= oldestSnapshot)
    const kept = first > 0 ? this.versions.slice(first) : this.versions
    this.versions = kept.length === 1 && kept[0]?.document === null ? [] : kept
  }

  /** Whether different readers may see different documents. */
  get isLayered(): boolean {
    return this.versions.length > 1 || this.pending !== null
  }

  get isEmpty(): boolean {
    return this.versions.length === 0 && this.pending === null
  }
}
