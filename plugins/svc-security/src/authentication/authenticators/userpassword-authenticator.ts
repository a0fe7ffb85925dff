/**
 * A name and a password on each request (RFC 7617). Throttled and verified as a login
 * is; nothing is remembered. It cannot ask for a second factor, so a user who has one
 * is refused, with the text of a wrong password, unless the zone takes a password only.
 */
import { type AccessToken, type Clock, createAccessToken } from 'svc-kernel'
import { factorList, proofKind } from 'svc-kernel/plugin'
import { credentialsRefused, submittedBy } from '../../journal/audit-writer.ts'
import type { LoginService, PasswordAttempt } from '../../login/login-service.ts'
import { orUnavailable } from '../../stores/guarded-store.ts'
import type { LoadedUser, UserSource } from '../../users/user-source.ts'
import { PasswordRevalidation } from '../revalidation/password-revalidation.ts'
import type { Revalidation } from '../revalidation/revalidation.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'

export const USERPASSWORD_NAME = 'userpassword'

export interface UserPasswordParts {
  readonly users: UserSource
  readonly login: Pick<LoginService, 'attempt' | 'requiredFactors'>
  /** Names of the zones with `basicWithoutSecondFactor`. */
  readonly passwordOnly: ReadonlySet<string>
  readonly realm: string
  readonly clock: Pick<Clock, 'now'>
  /** Of a session: a WebSocket that a password opened lives no longer. */
  readonly absoluteTimeoutS: number
}

const PASSWORD = factorList(['pwd'])

interface BasicAttempt {
  readonly zone: string
  readonly attempt: PasswordAttempt
  readonly upgrade: boolean
}

export class UserPasswordAuthenticator implements Authenticator<BasicAttempt> {
  readonly carrier = 'authorization'
  /** Browsers remember it, and send it by themselves. */
  readonly ambient = true
  readonly subject = 'person'
  readonly needs = 'accounts'
  readonly openapi = { type: 'http', scheme: 'basic', description: 'Identifier and password, in UTF-8.' } as const
  readonly #proof = proofKind(this, USERPASSWORD_NAME)
  readonly #parts: UserPasswordParts
  /** Of upgrades only: the hash of the password that held. */
  readonly #hashes = new WeakMap<AccessToken, string | null>()

  constructor(parts: UserPasswordParts) {
    this.#parts = parts
  }

  supports({ headers }: AuthenticationContext): boolean {
    return isBasic(headers.authorization)
  }

  createToken({ headers, request, zone, transport }: AuthenticationContext): BasicAttempt {
    const credential = readBasic(headers.authorization)
    if (credential === null) throw credentialsRefused('malformed')
    return { zone, attempt: { ...credential, ip: request.ip }, upgrade: transport === 'websocket' }
  }

  async authenticate({ zone, attempt, upgrade }: BasicAttempt): Promise<AccessToken> {
    try {
      const user = await this.#parts.login.attempt(attempt)
      if (!this.#parts.passwordOnly.has(zone)) await this.#refuseSecondFactor(user.identifier)
      const provenAt = this.#parts.clock.now()
      const shown = { user: user.identity ?? user, provenAt, factors: PASSWORD, proof: this.#proof }
      const token = createAccessToken({ type: USERPASSWORD_NAME, ...shown })
      if (upgrade) this.#hashes.set(token, await this.#hashOf(user))
      return token
    } catch (error) {
      throw submittedBy(error, attempt.identifier)
    }
  }

  liveness({ zone }: AuthenticationContext, token: AccessToken): Revalidation {
    const { passwordOnly, ...sources } = this.#parts
    return new PasswordRevalidation(token, this.#hashes.get(token) ?? null, {
      ...sources,
      passwordOnly: passwordOnly.has(zone)
    })
  }

  /** The attempt may have renewed a hash of an older cost. */
  async #hashOf({ identifier }: LoadedUser): Promise<string | null> {
    const user = await orUnavailable(() => this.#parts.users.findByIdentifier(identifier))
    return user?.passwordHash ?? null
  }

  challenge(): string {
    return `Basic realm="${this.#parts.realm}", charset="UTF-8"`
  }

  async #refuseSecondFactor(identifier: string): Promise<void> {
    const due = await orUnavailable(() => this.#parts.login.requiredFactors(identifier))
    if (due.length > 0) throw credentialsRefused('second_factor')
  }
}

export interface BasicCredential {
  readonly identifier: string
  readonly password: string
}

const SCHEME = /^basic(?: |$)/i
/** Padding may be left out; nothing else may be. */
const TOKEN = /^basic +([A-Za-z0-9+/]+)(={0,2}) *$/i
const CONTROL = /[\u0000-\u001f\u007f]/
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** True when the header has this scheme, well-formed or not. */
export function isBasic(header: string | undefined): boolean {
  return header !== undefined && SCHEME.test(header)
}

/**
 * Reads `Authorization: Basic` (RFC 7617) strictly; Node's decoder would tolerate more.
 *
 * @returns `null` for what is no credential: bad base64, bad UTF-8, control characters, no colon, no name
 */
export function readBasic(header: string | undefined): BasicCredential | null {
  const [, encoded, padding = ''] = TOKEN.exec(header ?? '') ?? []
  if (encoded === undefined || !isBase64(encoded, padding)) return null
  const text = decode(Buffer.from(encoded, 'base64'))
  if (text === null || CONTROL.test(text)) return null
  const colon = text.indexOf(':')
  if (colon < 1) return null
  return { identifier: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** One text for each value: full groups, and no bits left over. */
function isBase64(encoded: string, padding: string): boolean {
  if (padding !== '' && (encoded.length + padding.length) % 4 !== 0) return false
  return Buffer.from(encoded, 'base64').toString('base64').replace(/=+$/, '') === encoded
}

function decode(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
