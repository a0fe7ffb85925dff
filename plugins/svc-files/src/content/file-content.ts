/**
 * The port of a place that keeps content. A driver knows ids alone, never names: what a caller wrote reaches no path and
 * no key. An id is written once. `fileContentConformance` is the suite of the port.
 */
import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both included, from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What keeps the content of files. Implement it to keep them elsewhere than on disk or S3. */
export interface FileContent {
  /**
   * Keeps the content, whole and durably, or not at all: where the content fails, or writing does, it rejects with that
   * error and nothing can be read under the id.
   */
  write(id: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Opens it. @throws ContentMissing where there is none, or it has fewer bytes */
  read(id: string, range: ByteRange): Promise<Readable>
  /** Removes it, and what an interrupted `write` left. Where there is nothing, it does nothing. */
  remove(id: string): Promise<void>
  /** Rejects where content cannot be written at the moment: the health check. */
  check(): Promise<unknown>
  /** Called when the application closes. */
  close?(): unknown
}

/** Those that svc gives, and a driver may rely on: letters, digits, `_` and `-`. */
export const CONTENT_ID = /^[\w-]{1,100}$/
