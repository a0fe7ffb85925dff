/** Removes what is older than the retention, every hour. A purge that fails is logged and tried again at the next hour. */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { isAnnounced } from 'svc-kernel/plugin'
import type { AuditStore } from '../storage/audit-store.ts'

const EVERY_MS = 3_600_000

export interface RetentionParts {
  readonly store: Pick<AuditStore, 'purge'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly days: number
}

export class Retention {
  readonly #parts: RetentionParts
  #timer: unknown = null

  constructor(parts: RetentionParts) {
    this.#parts = parts
  }

  start(): void {
    const { clock, days } = this.#parts
    if (days === 0) return
    this.#timer = clock.setTimeout(() => {
      this.start()
      void this.#purge()
    }, EVERY_MS)
  }

  stop(): void {
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
  }

  async #purge(): Promise<void> {
    const { store, days, log } = this.#parts
    try {
      const removed = await store.purge(days)
      if (removed > 0) log.info({ removed, days }, 'old audit events were removed')
    } catch (error) {
      const fields = { code: 'SVC_AUDIT_STORE', err: error }
      log[isAnnounced(error) ? 'debug' : 'error'](fields, 'old audit events could not be removed')
    }
  }
}
