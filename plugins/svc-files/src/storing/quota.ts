/**
 * Quotas of a scope and of an owner. A file is counted with all that it may get before its first byte is written, and its
 * share is lowered to what is left: files that are written at once never exceed a quota together.
 */
import { QuotaExceeded } from '../errors.ts'
import type { FilesConfig } from '../options.ts'
import type { FileRecord } from '../records/file-record.ts'
import type { FileStore } from '../records/file-store.ts'

type Quota = FilesConfig['quota']

/** What a file may get, and whose quota says so. */
interface Share {
  readonly bytes: number
  readonly refusal: QuotaError | null
}

type QuotaError = InstanceType<typeof QuotaExceeded>

export class Quotas {
  readonly #store: FileStore
  readonly #quota: Quota

  constructor(store: FileStore, quota: Quota) {
    this.#store = store
    this.#quota = quota
  }

  /** Before a body is read. @param bytes at least so many are to come @throws QuotaExceeded */
  async check(scope: string, owner: string | null, bytes: number): Promise<void> {
    const { refusal } = await this.#share(scope, owner, bytes)
    if (refusal !== null) throw refusal
  }

  /**
   * Reserves a record.
   *
   * @returns what the file may get, and the error for more: `null` where no quota says it
   * @throws QuotaExceeded where nothing is left
   */
  async reserve(record: FileRecord): Promise<Share> {
    await this.#store.reserve(record)
    const share = await this.#share(record.scope, record.owner, 0, record.bytes)
    if (share.refusal === null) return share
    if (share.bytes > 0) await this.#store.resize(record.id, share.bytes)
    return share
  }

  /** @param more bytes that are not counted yet @param own of what is counted, the file's own */
  async #share(scope: string, owner: string | null, more: number, own = more): Promise<Share> {
    const { scopeBytes, ownerBytes } = this.#quota
    let share: Share = { bytes: own, refusal: null }
    if (scopeBytes !== undefined) {
      share = lower(share, own, (await this.#store.used(scope)) + more - scopeBytes, 'scope', scopeBytes)
    }
    if (ownerBytes !== undefined && owner !== null) {
      share = lower(share, own, (await this.#store.used(scope, owner)) + more - ownerBytes, 'owner', ownerBytes)
    }
    return share
  }
}

/** @param over how much the quota is exceeded */
function lower(share: Share, own: number, over: number, whose: string, most: number): Share {
  const bytes = Math.max(0, own - over)
  if (over <= 0 || bytes >= share.bytes) return share
  return { bytes, refusal: new QuotaExceeded(whose, String(most)) }
}
