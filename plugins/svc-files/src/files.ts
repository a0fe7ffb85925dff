/** `fastify.files`: stored files of one scope. Another scope's files are not found, whatever is asked. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS, currentUser } from 'svc-kernel'
import type { Transaction } from 'svc-stores/table'
import type { ByteRange, FileContent } from './content/file-content.ts'
import type { ContentSource } from './content/measured-content.ts'
import { type SendOptions, sendFile } from './downloads/send-file.ts'
import { ContentMissing, FileNotFound, InvalidFileCall } from './errors.ts'
import type { FilesConfig } from './options.ts'
import type { FileStore } from './records/file-store.ts'
import { type StoredFile, shown } from './records/stored-file.ts'
import { type ActiveScope, checkedScope } from './scope/active-scope.ts'
import { type FileWriter, type NewFile, type PlacedFile, storageError } from './storing/file-writer.ts'
import type { Quotas } from './storing/quota.ts'
import { type ReceivedForm, receiveForm } from './uploads/receive-form.ts'
import type { UploadRules } from './uploads/upload.ts'

/** Which files `list` returns. */
export interface FileFilter {
  readonly owner?: string
  /** The id of the last file of the page before. */
  readonly after?: string
  /** 1 to 1000. Default: 100. */
  readonly limit?: number
}

/** What `within(tx)` gives: these calls, in an open transaction. */
export type FilesInTransaction = Pick<Files, 'keep' | 'get' | 'remove'>

export interface FilesParts {
  readonly store: FileStore
  readonly storeWithin: (tx: Transaction) => FileStore
  readonly content: FileContent
  readonly writer: FileWriter
  readonly quotas: Quotas
  readonly config: FilesConfig
  readonly scope: ActiveScope
  readonly purge: () => Promise<number>
}

const LONGEST_PAGE = 1000

/** Stores, finds and removes files of the caller's scope. Each call without a scope throws `SVC_FILES_NO_SCOPE`. */
export class Files {
  readonly #parts: FilesParts

  constructor(parts: FilesParts) {
    this.#parts = parts
  }

  /** The files of this scope, for work that has none: schedules, commands, tests. @throws NoFileScope for empty text */
  in(scope: string): Files {
    const named = checkedScope(scope, 'files.in')
    return new Files({ ...this.#parts, scope: () => named })
  }

  /**
   * Stores a file, as its bytes come.
   *
   * @param content a stream, or any iterable of bytes @throws FileTooLarge, QuotaExceeded (413), UnsupportedFileType (415),
   * StorageFull (507), StorageUnavailable (503), what the content throws: nothing is stored then
   */
  async put(content: ContentSource, file: NewFile): Promise<StoredFile> {
    return shown(await this.#parts.writer.write(content, this.#placed(file, 'files.put'), 'stored'))
  }

  /** As `put`, but the file cannot be found until `keep`. It is purged after `pendingS` seconds. */
  async stage(content: ContentSource, file: NewFile): Promise<StoredFile> {
    return shown(await this.#parts.writer.write(content, this.#placed(file, 'files.stage'), 'pending'))
  }

  /** Staged files become stored: all of them, or none. @throws FileNotFound (404) where one is not staged, or no longer */
  async keep(...ids: readonly string[]): Promise<void> {
    const scope = this.#parts.scope('files.keep')
    if (ids.length > 0 && !(await this.#parts.store.keep(scope, ids))) throw new FileNotFound()
  }

  async get(id: string): Promise<StoredFile | null> {
    const found = await this.#parts.store.find(this.#parts.scope('files.get'), id)
    return found === null ? null : shown(found)
  }

  /** Stored files, in the order of their ids. */
  async list({ owner, after, limit = 100 }: FileFilter = {}): Promise<readonly StoredFile[]> {
    if (!Number.isInteger(limit) || limit < 1 || limit > LONGEST_PAGE) {
      throw new InvalidFileCall('files.list', `limit is ${limit}, and must be 1 to ${LONGEST_PAGE}`)
    }
    const scope = this.#parts.scope('files.list')
    return (await this.#parts.store.list(scope, { owner, after, limit })).map(shown)
  }

  /** Bytes of the files of the scope, or of one owner in it, with those that are being written. */
  async usage(owner?: string): Promise<number> {
    return this.#parts.store.used(this.#parts.scope('files.usage'), owner)
  }

  /**
   * The content.
   *
   * @param range within the file; default: all of it @throws FileNotFound (404), InvalidFileCall for a range beyond the file
   */
  async stream(id: string, { range }: { readonly range?: ByteRange } = {}): Promise<Readable> {
    const file = await this.get(id)
    if (file === null) throw new FileNotFound()
    return this.#open(file, range)
  }

  /** The content is removed by a later purge. @returns `false` where there is no such file */
  async remove(id: string): Promise<boolean> {
    return this.#parts.store.remove(this.#parts.scope('files.remove'), id)
  }

  /** `keep`, `get` and `remove` in an open transaction of the database of files. @throws SVC_STORE_TRANSACTION */
  within(tx: Transaction): FilesInTransaction {
    return new Files({ ...this.#parts, store: this.#parts.storeWithin(tx) })
  }

  /**
   * Takes the files and fields of a form. Quotas are checked before a byte of the body is read; where anything is refused,
   * or the client goes away, no file stays.
   *
   * @param rules default: those that `upload(...)` gave to the route @throws as `put`; FormTooLarge (413), NotAForm (415),
   * InvalidForm, NoFile (400)
   */
  async upload(request: FastifyRequest, rules?: UploadRules): Promise<ReceivedForm> {
    const { writer, quotas, store } = this.#parts
    const given = rules ?? request.routeOptions.config.upload ?? {}
    const { scope, owner, maxBytes } = this.#placed({ name: '', maxBytes: given.maxBytes }, 'files.upload')
    return receiveForm(
      request,
      { ...given, maxBytes },
      {
        admit: (bytes) => quotas.check(scope, owner, bytes),
        stage: async (content, { name, type }) => {
          return shown(
            await writer.write(content, { scope, owner, maxBytes, name, type, types: given.types }, 'pending')
          )
        },
        keep: async (ids) => {
          if (!(await store.keep(scope, ids))) throw new FileNotFound()
        },
        discard: (id) => writer.discard(id)
      }
    )
  }

  /** Answers with a file: see `reply.file`. */
  async send(reply: FastifyReply, id: string, options: SendOptions = {}): Promise<FastifyReply> {
    const file = await this.get(id)
    if (file === null) throw new FileNotFound()
    return sendFile(reply, file, (range) => this.#open(file, range), options)
  }

  /** Removes content that no file needs, of all scopes; the application does so every `purgeS` seconds. @returns how many files are gone */
  purge(): Promise<number> {
    return this.#parts.purge()
  }

  async #open({ id, bytes }: StoredFile, range: ByteRange = { start: 0, end: bytes - 1 }): Promise<Readable> {
    const { start, end } = range
    if (bytes === 0 && end === -1) return Readable.from([], { objectMode: false })
    if (!(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end < bytes)) {
      throw new InvalidFileCall('files.stream', `bytes ${start} to ${end} are not in a file of ${bytes}`)
    }
    try {
      return await this.#parts.content.read(id, range)
    } catch (error) {
      // Removed and purged since it was found.
      if (error instanceof ContentMissing && (await this.get(id)) === null) throw new FileNotFound()
      throw storageError(error)
    }
  }

  #placed(file: NewFile, call: string): PlacedFile {
    const { maxBytes = this.#parts.config.maxBytes, owner = caller() } = file
    return { ...file, scope: this.#parts.scope(call), maxBytes, owner }
  }
}

/** For whom files of the request count. */
function caller(): string | null {
  const user = currentUser()
  return user === ANONYMOUS ? null : user.identifier
}
