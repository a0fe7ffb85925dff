/**
 * Content in a folder. It is written beside its place, synced, and renamed: a file that can be read is whole, also after
 * a power failure. Both paths are made of the id alone, so that `remove` finds what a killed process left.
 */
import { constants } from 'node:fs'
import * as nodeFiles from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { ContentMissing, InvalidFileCall } from '../errors.ts'
import { type ByteRange, CONTENT_ID, type FileContent } from './file-content.ts'

/** The calls that are used, for tests that make them fail. */
export type FileSystem = Pick<typeof nodeFiles, 'mkdir' | 'open' | 'rename' | 'rm' | 'access'>

const OWNER_ONLY = { folder: 0o700, file: 0o600 }

export class DiskContent implements FileContent {
  readonly #directory: string
  readonly #files: FileSystem

  /** @param directory absolute; made where it is missing */
  constructor(directory: string, files: FileSystem = nodeFiles) {
    this.#directory = directory
    this.#files = files
  }

  async write(id: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#pathOf(id)
    const part = partOf(path)
    try {
      await this.#makeFolder(dirname(path))
      await this.#writePart(part, content)
      await this.#files.rename(part, path)
      await this.#sync(dirname(path))
    } catch (error) {
      // The first error says why; what cannot be removed here is found by `remove`.
      await this.#erase(part, path).catch(() => undefined)
      throw error
    }
  }

  async read(id: string, { start, end }: ByteRange): Promise<Readable> {
    const handle = await this.#openToRead(id)
    try {
      const { size } = await handle.stat()
      if (size <= end) throw new ContentMissing(id)
      return handle.createReadStream({ start, end })
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async remove(id: string): Promise<void> {
    const path = this.#pathOf(id)
    await this.#erase(path, partOf(path))
  }

  async check(): Promise<void> {
    await this.#files.mkdir(this.#directory, { recursive: true, mode: OWNER_ONLY.folder })
    await this.#files.access(this.#directory, constants.W_OK)
  }

  async #openToRead(id: string): Promise<nodeFiles.FileHandle> {
    try {
      return await this.#files.open(this.#pathOf(id), constants.O_RDONLY | constants.O_NOFOLLOW)
    } catch (cause) {
      if ((cause as { code?: unknown }).code === 'ENOENT') throw new ContentMissing(id, { cause })
      throw cause
    }
  }

  async #writePart(part: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const handle = await this.#files.open(part, 'wx', OWNER_ONLY.file)
    try {
      await handle.writeFile(content as AsyncIterable<NodeJS.ArrayBufferView>)
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  /** A new folder lasts once the one around it is synced. */
  async #makeFolder(folder: string): Promise<void> {
    const made = await this.#files.mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder })
    if (made !== undefined) await this.#sync(dirname(made))
  }

  async #sync(folder: string): Promise<void> {
    // Windows opens no folders, and needs none synced.
    if (process.platform === 'win32') return
    const handle = await this.#files.open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  async #erase(...paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.#files.rm(path, { force: true })
  }

  /** Of the end of the id, which is random: 4096 folders at most. */
  #pathOf(id: string): string {
    if (!CONTENT_ID.test(id)) throw new InvalidFileCall('the disk', `${JSON.stringify(id)} is no id of a file`)
    return join(this.#directory, `0${id}`.slice(-2), id)
  }
}

/** No id has a dot. */
const partOf = (path: string): string => `${path}.part`
