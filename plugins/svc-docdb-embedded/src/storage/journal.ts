/**
 * The durability of changes. Without a file nothing is kept. What cannot be made durable is undone in memory: each
 * change comes with its undo.
 */
import type { Document } from '../values/value.ts'

export interface SavedCollection {
  readonly id: string
  /** Name, options and index specifications. */
  readonly description: Document
}

export interface Journal {
  saveCollection: (collection: SavedCollection, undo: () => void) => void
  dropCollection: (id: string, undo: () => void) => void
  /** `null` removes the record. */
  saveRecord: (collection: string, record: number, document: Document | null, undo: () => void) => void
  /** A change that is not in the file, undone together with the others. */
  onUndo: (undo: () => void) => void
  /** Whether the data survives the process. */
  readonly persistent: boolean
  /** Makes everything since the last call durable, all or nothing. @throws CommandError 14031, and nothing is durable */
  flush: () => void
  /** After a `flush` that failed: undoes its changes, the last one first. */
  undo: () => void
  close: () => void
}

export const noJournal: Journal = {
  persistent: false,
  saveCollection: () => undefined,
  dropCollection: () => undefined,
  saveRecord: () => undefined,
  onUndo: () => undefined,
  flush: () => undefined,
  undo: () => undefined,
  close: () => undefined
}
