/** Where changes go that are to outlive the process. Without a file they go nowhere. */
import type { Document } from '../values/value.ts'

export interface SavedCollection {
  readonly id: string
  /** Name, options and index specifications. */
  readonly description: Document
}

export interface Journal {
  saveCollection: (collection: SavedCollection) => void
  dropCollection: (id: string) => void
  /** `null` removes the record. */
  saveRecord: (collection: string, record: number, document: Document | null) => void
  /** Whether it outlives the process. */
  readonly persistent: boolean
  /** Makes everything since the last call durable, all or nothing. */
  flush: () => void
  close: () => void
}

export const noJournal: Journal = {
  persistent: false,
  saveCollection: () => undefined,
  dropCollection: () => undefined,
  saveRecord: () => undefined,
  flush: () => undefined,
  close: () => undefined
}
