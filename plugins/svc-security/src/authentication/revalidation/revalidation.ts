/** What is checked again while a WebSocket is open, by what proved its identity: a session, a token, or a subject. */
import type { FastifyRequest } from 'fastify'
import type { AccessToken } from 'svc-kernel'
import type { SessionService } from '../../sessions/session-service.ts'
import type { SessionRecord } from '../../sessions/session-store.ts'
import { orUnavailable } from '../../stores/guarded-store.ts'
import type { TokenService } from '../../tokens/token-service.ts'
import { isUsable, type UserSource } from '../../users/user-source.ts'

/**
 * How the proof of an open WebSocket is checked again. The authenticator that proved the identity makes one per socket;
 * for an authenticator that makes none, it is the subject that is looked up among the users.
 */
export interface Revalidation {
  /** Epoch ms after which the proof cannot hold without a new check; `null` for no such time. */
  endsAt(): number | null
  /**
   * Checks again. A throw means that it does not hold, except an error with `statusCode` 503: the answer is not known now.
   *
   * @param active a message came, which counts as activity
   */
  check(active: boolean): boolean | Promise<boolean>
  /** Calls `end` as soon as this process knows that the proof is gone. @returns stops watching */
  watch?(end: () => void): () => void
}

/**
 * A session must still exist, within its bounds, of the same user, who may still act. Before an action any read error
 * invalidates it (spec, `firewall-realtime`); without one, a store that does not answer ends nothing.
 */
export class SessionRevalidation implements Revalidation {
  readonly #request: FastifyRequest
  readonly #sessions: SessionService
  readonly #users: UserSource
  readonly #ref: string | null
  readonly #user: string | null
  #record: SessionRecord | null

  /** @param record the session that proved the identity at the handshake */
  constructor(request: FastifyRequest, record: SessionRecord | null, sessions: SessionService, users: UserSource) {
    this.#request = request
    this.#sessions = sessions
    this.#users = users
    this.#record = record
    this.#ref = record?.id ?? null
    this.#user = record?.user ?? null
  }

  endsAt(): number | null {
    return this.#record === null ? null : this.#sessions.endOf(this.#record)
  }

  async check(active: boolean): Promise<boolean> {
    const [ref, name] = [this.#ref, this.#user]
    if (ref === null || name === null) return false
    try {
      this.#record = await orUnavailable(() => this.#sessions.again(ref, active, this.#request))
      if (this.#record === null || this.#record.user !== name) return false
      const user = await orUnavailable(() => this.#users.findByIdentifier(name))
      return user !== null && isUsable(user)
    } catch (error) {
      if (active) return false
      throw error
    }
  }

  watch(end: () => void): () => void {
    return this.#sessions.whenOver(this.#ref ?? '', this.#user, end)
  }
}

/** A signed token or an API key must be neither expired nor revoked, and of a user who may still act. */
export class TokenRevalidation implements Revalidation {
  readonly #token: AccessToken
  readonly #tokens: Pick<TokenService, 'holds' | 'whenRevoked'>

  constructor(token: AccessToken, tokens: Pick<TokenService, 'holds' | 'whenRevoked'>) {
    this.#token = token
    this.#tokens = tokens
  }

  endsAt(): number | null {
    return expiryOf(this.#token)
  }

  check(): Promise<boolean> {
    return this.#tokens.holds(this.#token)
  }

  watch(end: () => void): () => void {
    return this.#tokens.whenRevoked(this.#token, end)
  }
}

/**
 * The subject must still be a user who may act, and `expiresAt` of the token not be over. For Basic, and for
 * authenticators without a revalidation of their own.
 */
export class SubjectRevalidation implements Revalidation {
  readonly #token: AccessToken
  readonly #users: UserSource | null
  readonly #stranger: () => void
  #known = false

  /**
   * @param users `null` where the application keeps no accounts: then only the time of the token counts
   * @param stranger called when the subject is no user of the application
   */
  constructor(token: AccessToken, users: UserSource | null, stranger: () => void) {
    this.#token = token
    this.#users = users
    this.#stranger = stranger
  }

  endsAt(): number | null {
    return expiryOf(this.#token)
  }

  async check(): Promise<boolean> {
    const users = this.#users
    if (users === null) return true
    const user = await orUnavailable(() => users.findByIdentifier(this.#token.getUserIdentifier()))
    if (user === null && !this.#known) this.#stranger()
    this.#known = true
    return user !== null && isUsable(user)
  }
}

function expiryOf({ expiresAt }: AccessToken): number | null {
  return typeof expiresAt === 'number' ? expiresAt : null
}
