/** What is kept of a file beside its content. */

/**
 * - `pending`: being written, or not kept yet; counts for quotas, and is purged once it is old
 * - `stored`: can be found
 * - `removed`: its content is to be purged, and then the record
 */
export type FileState = 'pending' | 'stored' | 'removed'

export interface FileRecord {
  readonly id: string
  readonly scope: string
  /** Whoever it counts for; `null`: nobody. */
  readonly owner: string | null
  readonly name: string
  /** A media type. */
  readonly type: string
  /** While it is written: what it may have at most. */
  readonly bytes: number
  /** In hexadecimal; `null` until the content is complete. */
  readonly sha256: string | null
  readonly state: FileState
  /** Epoch ms. */
  readonly createdAt: number
  /** When it got its state, or its content; epoch ms. */
  readonly changedAt: number
}

/** Of content that was written. */
export interface WrittenContent {
  readonly bytes: number
  readonly sha256: string
}
