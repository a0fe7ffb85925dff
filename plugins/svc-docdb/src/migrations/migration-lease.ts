/**
 * Who migrates: one document, held for a while and held on to as long as the holder lives. A holder that is killed keeps
 * the others waiting for no longer than that.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Collection, Document } from 'mongodb'
import { BootError, type Clock } from 'svc-kernel'
import { isDuplicateKey } from '../connection/storage-failure.ts'

const LEASE_MS = 60_000
const RENEWAL_MS = 20_000
const LONGEST_WAIT_MS = 600_000
const PAUSE_MS = 250

/** Of the document; no migration has such a name. */
export const LEASE = 'lease'

export class MigrationLease {
  readonly #records: Collection<Document & { _id: string }>
  readonly #clock: Clock
  readonly #owner = randomUUID()
  #timer: unknown = null
  #lost = false

  constructor(records: Collection<Document & { _id: string }>, clock: Clock) {
    this.#records = records
    this.#clock = clock
  }

  /** @param waits called where another instance holds it @throws BootError SVC_ORM_MIGRATION_LOCKED where that lasts ten minutes */
  async acquire(waits: () => void): Promise<void> {
    for (let waited = 0; waited < LONGEST_WAIT_MS; waited += PAUSE_MS) {
      if (await this.#take()) return this.#renewLater()
      waits()
      await pause(PAUSE_MS)
    }
    throw locked()
  }

  /** Call before each step. @throws BootError SVC_ORM_MIGRATION_LOCKED where somebody else has taken it meanwhile */
  check(): void {
    if (this.#lost) throw locked()
  }

  async release(): Promise<void> {
    this.#clock.clearTimeout(this.#timer)
    await this.#records.deleteOne({ _id: LEASE, owner: this.#owner })
  }

  async #take(): Promise<boolean> {
    const now = this.#clock.now()
    const free = { _id: LEASE, $or: [{ until: { $lt: new Date(now) } }, { owner: this.#owner }] }
    try {
      // Held by somebody else, it is not found, and cannot be made a second time.
      const held = { owner: this.#owner, until: new Date(now + LEASE_MS) }
      await this.#records.updateOne(free, { $set: held }, { upsert: true })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }

  #renewLater(): void {
    this.#timer = this.#clock.setTimeout(() => {
      this.#take().then(
        (held) => {
          this.#lost = !held
          if (held) this.#renewLater()
        },
        // Tried again before the lease is over.
        () => this.#renewLater()
      )
    }, RENEWAL_MS)
  }
}

function locked(): BootError {
  return new BootError([
    {
      code: 'SVC_ORM_MIGRATION_LOCKED',
      message: 'another instance is migrating these documents',
      fix: 'find that instance, and try again when it has finished'
    }
  ])
}
