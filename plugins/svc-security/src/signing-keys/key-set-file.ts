/**
 * The key set on disk, `<dir>/keyset.json`. Readable by its owner only (mode 0600):
 * a file that others can read is refused, not used. Written whole or not at all.
 */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import type { StoredKey } from './signing-key.ts'

export const KEY_SET_NAME = 'keyset.json'

const OWNER_ONLY = 0o600

export class KeySetFile {
  readonly path: string
  readonly #dir: string

  /** @param dir absolute folder; made (mode 0700) with the first key set */
  constructor(dir: string) {
    this.#dir = dir
    this.path = join(dir, KEY_SET_NAME)
  }

  exists(): boolean {
    return existsSync(this.path)
  }

  /** What tells one version of the file from another; `null` where there is none that can be seen. */
  version(): string | null {
    try {
      const { ino, mtimeMs, size } = statSync(this.path)
      return `${ino} ${mtimeMs} ${size}`
    } catch {
      return null
    }
  }

  /** Who else may read it: `null`, or the mode as `ls` counts it. Windows has no such modes. */
  openToOthers(): string | null {
    const mode = statSync(this.path).mode & 0o777
    return process.platform !== 'win32' && (mode & 0o077) !== 0 ? mode.toString(8).padStart(4, '0') : null
  }

  read(): string {
    return readFileSync(this.path, 'utf8')
  }

  /** @returns `false` when there is a key set already, also one that another process made just now */
  create(keys: readonly StoredKey[]): boolean {
    return this.#place(keys, (draft) => {
      try {
        // A link fails where the name exists: of two first starts one wins, and both read the same keys.
        linkSync(draft, this.path)
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
        throw error
      }
    })
  }

  replace(keys: readonly StoredKey[]): void {
    this.#place(keys, (draft) => renameSync(draft, this.path))
  }

  #place<Result>(keys: readonly StoredKey[], place: (draft: string) => Result): Result {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
    const draft = join(this.#dir, `.${KEY_SET_NAME}.${randomBytes(6).toString('hex')}`)
    try {
      writeFileSync(draft, `${JSON.stringify({ keys }, null, 2)}\n`, { mode: OWNER_ONLY, flag: 'wx' })
      // The umask may only take rights away; a mode is set whatever it is.
      chmodSync(draft, OWNER_ONLY)
      return place(draft)
    } finally {
      rmSync(draft, { force: true })
    }
  }
}
