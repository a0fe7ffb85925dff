/**
 * Stores one file: a pending record, then the content, then the record is complete. Whatever fails on the way leaves
 * neither; what a killed process leaves is a pending record, which the purge follows to the content.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { randomId, readableError } from 'svc-kernel/plugin'
import type { FileContent } from '../content/file-content.ts'
import { type ContentSource, MeasuredContent } from '../content/measured-content.ts'
import { FileNotFound, FileTooLarge, StorageFull, StorageUnavailable } from '../errors.ts'
import { safeFileName } from '../metadata/file-name.ts'
import { HEAD_BYTES } from '../metadata/magic-numbers.ts'
import { checkType, mediaTypeOf } from '../metadata/media-type.ts'
import type { FileRecord, FileState } from '../records/file-record.ts'
import type { FileStore } from '../records/file-store.ts'
import type { Quotas } from './quota.ts'

/** What a file is to be stored with. */
export interface NewFile {
  /** As its sender wrote it; it is stored without a path and without what is unsafe in a name. */
  readonly name: string
  /** As its sender says; what the first bytes say wins. Default: by the bytes alone. */
  readonly type?: string | undefined
  /** For whom it counts. Default: the user of the request; `null`: nobody. */
  readonly owner?: string | null | undefined
  /** Default: the option. */
  readonly maxBytes?: number | undefined
  /** Those that are taken, such as `image/png` or `image/*`. Default: all. */
  readonly types?: readonly string[] | undefined
}

/** `NewFile`, with its defaults. */
export interface PlacedFile extends NewFile {
  readonly scope: string
  readonly owner: string | null
  readonly maxBytes: number
}

export interface WriterParts {
  readonly store: FileStore
  readonly content: FileContent
  readonly quotas: Quotas
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EntityTooLarge', 'XMinioStorageFull'])

export class FileWriter {
  readonly #parts: WriterParts

  constructor(parts: WriterParts) {
    this.#parts = parts
  }

  /**
   * @param state of the record in the end
   * @throws what the source throws; FileTooLarge, QuotaExceeded (413), UnsupportedFileType (415), StorageFull (507),
   * StorageUnavailable (503)
   */
  async write(source: ContentSource, file: PlacedFile, state: 'pending' | 'stored'): Promise<FileRecord> {
    const measured = await MeasuredContent.begin(source, HEAD_BYTES)
    try {
      const type = mediaTypeOf(file.type ?? '', measured.head)
      checkType(type, file.types)
      return await this.#store(measured, this.#pending(file, type), state)
    } finally {
      await measured.end()
    }
  }

  /** Removes a file that is not stored, with its content. What cannot be removed now, the purge removes. */
  async discard(id: string): Promise<void> {
    const { store, content, log } = this.#parts
    try {
      await store.drop(id)
      await content.remove(id)
      await store.forget(id)
    } catch (error) {
      log.debug({ code: 'SVC_FILES_PURGE', file: id, error: readableError(error) }, 'a file is left to the purge')
    }
  }

  #pending({ scope, owner, name, maxBytes }: PlacedFile, type: string): FileRecord {
    const now = this.#parts.clock.now()
    const state: FileState = 'pending'
    const times = { createdAt: now, changedAt: now }
    return {
      id: randomId('file'),
      ...{ scope, owner, name: safeFileName(name), type, bytes: maxBytes, sha256: null, state },
      ...times
    }
  }

  async #store(measured: MeasuredContent, record: FileRecord, state: 'pending' | 'stored'): Promise<FileRecord> {
    const { id } = record
    try {
      const { bytes: most, refusal } = await this.#parts.quotas.reserve(record)
      const refused = refusal ?? new FileTooLarge(String(record.bytes))
      await this.#keep(
        id,
        measured.bound((bytes) => (bytes > most ? refused : null))
      )
      const { written } = measured
      if (!(await this.#parts.store.complete(id, written, state))) throw new FileNotFound()
      return { ...record, ...written, state }
    } catch (error) {
      await this.discard(id)
      throw error
    }
  }

  async #keep(id: string, measured: MeasuredContent): Promise<void> {
    try {
      await this.#parts.content.write(id, measured)
    } catch (error) {
      if (measured.fault !== null) throw measured.fault.error
      throw storageError(error)
    }
  }
}

/** What a driver failed at, as callers are answered; its own words may name paths and hosts. */
export function storageError(error: unknown): unknown {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (FULL.has(code) || FULL.has(name)) return new StorageFull({ cause: error })
  if (typeof code === 'string' && code.startsWith('SVC_')) return error
  return new StorageUnavailable({ cause: error })
}
