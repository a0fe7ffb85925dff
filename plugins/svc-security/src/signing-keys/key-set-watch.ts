/**
 * Looks every half minute whether the key set on disk has changed, so that a rotation
 * reaches every instance without a restart. A file that cannot be used changes nothing.
 * Each change is told to the log and the audit; of keys, their names alone.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { fromFile } from './find-keys.ts'
import type { KeyRing } from './key-ring.ts'
import type { KeySetFile } from './key-set-file.ts'

export const LOOK_EVERY_MS = 30_000

export interface KeySetWatchParts {
  readonly file: KeySetFile
  readonly ring: KeyRing
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly journal: Pick<SecurityJournal, 'done'>
}

export class KeySetWatch {
  readonly #file: KeySetFile
  readonly #ring: KeyRing
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  readonly #journal: Pick<SecurityJournal, 'done'>
  #version: string | null
  #timer: unknown = null

  constructor(parts: KeySetWatchParts) {
    this.#file = parts.file
    this.#ring = parts.ring
    this.#clock = parts.clock
    this.#log = parts.log
    this.#journal = parts.journal
    this.#version = parts.file.version()
  }

  start(): void {
    this.#timer = this.#clock.setTimeout(() => {
      this.#look()
      this.start()
    }, LOOK_EVERY_MS)
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer)
  }

  #look(): void {
    const version = this.#version
    this.#version = this.#file.version()
    if (this.#version === version) return
    const found = this.#version === null ? 'the file is gone' : fromFile(this.#file, this.#clock.now())
    if (typeof found === 'string' || 'message' in found) {
      const reason = typeof found === 'string' ? found : found.message
      this.#log.error({ code: 'SVC_SEC_KEYS', file: this.#file.path, reason }, 'the key set on disk is not taken over')
      this.#tell('failure', reason, {})
      return
    }
    this.#ring.replace(found.keys)
    const kids = found.keys.keys.map(({ kid }) => kid)
    this.#log.info({ kids }, 'the key set was read again')
    this.#tell('success', null, { kids })
  }

  #tell(outcome: 'success' | 'failure', reason: string | null, metadata: Readonly<Record<string, unknown>>): void {
    const event = {
      category: 'config',
      action: 'config.update',
      actor: null,
      resource: 'svc-security.jwt.dir'
    } as const
    this.#journal.done({ ...event, outcome, reason, metadata })
  }
}
