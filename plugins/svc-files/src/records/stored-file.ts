/** What the application and its callers see of a record. */
import type { FileRecord } from './file-record.ts'

/** A stored file, without its content. */
export interface StoredFile {
  /** Random, and good in a URL. */
  readonly id: string
  /** 1 to 255 bytes, without a path. */
  readonly name: string
  /** A media type in lower case, without parameters. */
  readonly type: string
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
  readonly owner: string | null
  /** Epoch ms. */
  readonly createdAt: number
}

/** @param record with its content */
export function shown({ id, name, type, bytes, sha256, owner, createdAt }: FileRecord): StoredFile {
  return { id, name, type, bytes, sha256: sha256 ?? '', owner, createdAt }
}
