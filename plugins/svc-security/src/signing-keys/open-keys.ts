/** Opens the signing keys from the options, and follows the file that they are in. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { appHost, BootError, type Clock, dataPath, developmentSecret, inProduction, warnProblem } from 'svc-kernel'
import type { AuditWriter } from '../journal/audit-writer.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { SecurityConfig } from '../options.ts'
import { ephemeralKeys, findKeys, fromFile } from './find-keys.ts'
import { KeyRing } from './key-set.ts'
import type { KeySetFile } from './key-set-file.ts'

export interface KeysSetting {
  readonly jwt: SecurityConfig['jwt']
  readonly clock: Clock
  readonly journal: SecurityJournal
}

/** @throws BootError SVC_SEC_KEYS where there are no keys to use */
export function openKeys(fastify: FastifyInstance, { jwt, clock, journal }: KeysSetting): KeyRing {
  const production = inProduction(fastify)
  const { checkOnly } = appHost(fastify)
  const setting = jwt.dir === undefined ? jwt : { ...jwt, dir: dataPath(fastify, jwt.dir) }
  const ephemeral = () => developmentSecret(appHost(fastify), 'svc-security/jwt', ephemeralKeys)
  const found = findKeys(setting, { production, checkOnly, now: clock.now(), ephemeral })
  if ('message' in found) throw new BootError([found])
  if (found.warning !== null) warnProblem(fastify.log, found.warning)
  const ring = new KeyRing(found.keys)
  if (found.file !== null) {
    const watch = new KeySetWatch({ file: found.file, ring, clock, log: fastify.log, journal })
    fastify.addHook('onReady', async () => watch.start())
    fastify.addHook('onClose', async () => watch.stop())
  }
  return ring
}

export const LOOK_EVERY_MS = 30_000

export interface KeySetWatchParts {
  readonly file: KeySetFile
  readonly ring: KeyRing
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly journal: Pick<AuditWriter, 'done'>
}

/**
 * Looks every half minute whether the key set on disk has changed, so that a rotation reaches every instance without a
 * restart. A file that cannot be used changes nothing. Each change goes to the log and the audit; of keys, their names only.
 */
export class KeySetWatch {
  readonly #file: KeySetFile
  readonly #ring: KeyRing
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  readonly #journal: Pick<AuditWriter, 'done'>
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
      this.#audit('failure', reason, {})
      return
    }
    this.#ring.replace(found.keys)
    const kids = found.keys.keys.map(({ kid }) => kid)
    this.#log.info({ kids }, 'the key set was read again')
    this.#audit('success', null, { kids })
  }

  #audit(outcome: 'success' | 'failure', reason: string | null, metadata: Readonly<Record<string, unknown>>): void {
    const event = {
      category: 'config',
      action: 'config.update',
      actor: null,
      resource: 'svc-security.jwt.dir'
    } as const
    this.#journal.done({ ...event, outcome, reason, metadata })
  }
}
