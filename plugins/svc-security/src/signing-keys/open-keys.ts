/**
 * Opens the signing keys: from `jwt.keySetJson`, else from the file in `jwt.dir` (made at the first start, followed when
 * it changes), else keys that live as long as the process, with a warning. In production the last is a reason not to
 * start.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { appHost, BootError, type Clock, inProduction, type Problem, warnAtBoot } from 'svc-kernel'
import { dataPath, developmentSecret } from 'svc-kernel/plugin'
import type { AuditWriter } from '../journal/audit-writer.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { SecurityConfig } from '../options.ts'
import { KeyRing, KeySet } from './key-set.ts'
import { KeySetFile } from './key-set-file.ts'
import { newStoredKey, openKey, readKeySet } from './signing-key.ts'

export interface KeySetting {
  readonly keySetJson?: string
  /** Absolute folder. */
  readonly dir?: string
}

export interface FoundKeys {
  readonly keys: KeySet
  /** The file they were read from, to be read again when it changes. */
  readonly file: KeySetFile | null
  readonly warning: Problem | null
}

const CODE = 'SVC_SEC_KEYS'
const MORE = 'npx svc docs tokens'

export interface KeySituation {
  readonly production: boolean
  /** The application boots only to be checked: no file is made. */
  readonly checkOnly: boolean
  /** Epoch ms. */
  readonly now: number
  /** Keys of this process. */
  readonly ephemeral: () => KeySet
}

/** @returns a problem where there are no keys that could be used */
export function findKeys(
  { keySetJson, dir }: KeySetting,
  { production, checkOnly, now, ephemeral }: KeySituation
): FoundKeys | Problem {
  if (keySetJson !== undefined) return fromText(keySetJson, 'svc-security.jwt.keySetJson', null)
  if (dir !== undefined) {
    const file = new KeySetFile(dir)
    return checkOnly && !file.exists() ? passing(ephemeral(), null) : fromFile(file, now)
  }
  if (production) {
    return {
      code: CODE,
      message: 'the application uses signed tokens, but has no key set',
      at: 'svc-security.jwt',
      expected: 'keySetJson or dir',
      fix: "npx svc keys generate --dir keys, then set jwt: { dir: 'keys' }",
      more: MORE
    }
  }
  const warning: Problem = {
    code: 'SVC_SEC_KEYS_EPHEMERAL',
    message:
      'tokens are signed with keys of this process: a restart invalidates them all, and other instances refuse them',
    at: 'svc-security.jwt',
    fix: "set jwt.dir, such as 'keys', or jwt.keySetJson",
    more: MORE
  }
  return passing(ephemeral(), warning)
}

/** New keys, kept nowhere. */
export function ephemeralKeys(): KeySet {
  return new KeySet([openKey(newStoredKey(0))])
}

function passing(keys: KeySet, warning: Problem | null): FoundKeys {
  return { keys, file: null, warning }
}

export function fromFile(file: KeySetFile, now: number): FoundKeys | Problem {
  try {
    if (!file.exists()) file.create([newStoredKey(now)])
    const mode = file.openToOthers()
    if (mode === null) return fromText(file.read(), file.path, file)
    return {
      code: CODE,
      message: 'other users of this machine can read the key set',
      at: file.path,
      got: `mode ${mode}`,
      expected: 'mode 0600',
      fix: 'chmod 600 the file; if it may have been read, also npx svc keys rotate',
      more: MORE
    }
  } catch (error) {
    const { code = 'failed' } = error as NodeJS.ErrnoException
    return {
      code: CODE,
      message: `the key set cannot be read or created (${code})`,
      at: file.path,
      expected: 'a file that this process can read, in a folder that it can write',
      fix: 'correct the owner and the rights of the folder, or set jwt.dir to another folder',
      more: MORE
    }
  }
}

function fromText(text: string, at: string, file: KeySetFile | null): FoundKeys | Problem {
  const { keys, faults } = readKeySet(text)
  if (keys !== null) return { keys: new KeySet(keys), file, warning: null }
  return {
    code: CODE,
    message: `the key set cannot be used: ${faults.join('; ')}`,
    at,
    expected: '{ "keys": [...] } as npx svc keys generate writes it',
    fix: 'npx svc keys generate',
    more: MORE
  }
}

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
  if (found.warning !== null) warnAtBoot(fastify, found.warning)
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
  readonly #parts: KeySetWatchParts
  #version: string | null
  #timer: unknown = null

  constructor(parts: KeySetWatchParts) {
    this.#parts = parts
    this.#version = parts.file.version()
  }

  start(): void {
    this.#timer = this.#parts.clock.setTimeout(() => {
      this.#look()
      this.start()
    }, LOOK_EVERY_MS)
  }

  stop(): void {
    this.#parts.clock.clearTimeout(this.#timer)
  }

  #look(): void {
    const version = this.#version
    this.#version = this.#parts.file.version()
    if (this.#version === version) return
    const found = this.#version === null ? 'the file is gone' : fromFile(this.#parts.file, this.#parts.clock.now())
    if (typeof found === 'string' || 'message' in found) {
      const reason = typeof found === 'string' ? found : found.message
      this.#parts.log.error(
        { code: 'SVC_SEC_KEYS', file: this.#parts.file.path, reason },
        'the new key set on disk cannot be used; the previous keys stay'
      )
      this.#audit('failure', reason, {})
      return
    }
    this.#parts.ring.replace(found.keys)
    const kids = found.keys.keys.map(({ kid }) => kid)
    this.#parts.log.info({ kids }, 'the key set was reloaded')
    this.#audit('success', null, { kids })
  }

  #audit(outcome: 'success' | 'failure', reason: string | null, metadata: Readonly<Record<string, unknown>>): void {
    const event = {
      category: 'config',
      action: 'config.update',
      actor: null,
      resource: 'svc-security.jwt.dir'
    } as const
    this.#parts.journal.done({ ...event, outcome, reason, metadata })
  }
}
