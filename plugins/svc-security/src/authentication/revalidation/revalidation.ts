/**
 * What is checked again while a WebSocket is open, by what proved its identity: a session or a token of ours. Each check
 * answers as HTTP would now: the user, the roles and the revocations are read again.
 */
import type { FastifyRequest } from 'fastify'
import type { AccessToken, MaybePromise } from 'svc-kernel'
import { actingOf } from '../../acting/acting.ts'
import type { SessionService } from '../../sessions/session-service.ts'
import type { SessionRecord } from '../../sessions/session-store.ts'
import { orUnavailable } from '../../stores/guarded-store.ts'
import type { TokenService } from '../../tokens/token-service.ts'
import { isUsable, type LoadedUser, type UserSource } from '../../users/user-source.ts'

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
   * @returns `true`, or the token as it would be proven now: its roles and scopes take the place of those before. One of
   * another subject ends the identity
   */
  check(active: boolean): MaybePromise<boolean | AccessToken>
  /** Calls `end` as soon as this process knows that the proof is gone. @returns stops watching */
  watch?(end: () => void): () => void
}

type TokenOfSession = (record: SessionRecord, user: LoadedUser) => MaybePromise<AccessToken>

export interface SessionSources {
  readonly sessions: SessionService
  readonly users: UserSource
  readonly tokenOf: TokenOfSession
}

/**
 * A session must still exist, within its bounds, of the same user, who may still act. Before an action any read error
 * invalidates it (spec, `firewall-realtime`); without one, a store that does not answer ends nothing.
 */
export class SessionRevalidation implements Revalidation {
  readonly #request: FastifyRequest
  readonly #sessions: SessionService
  readonly #users: UserSource
  readonly #tokenOf: TokenOfSession
  readonly #ref: string | null
  readonly #user: string | null
  #record: SessionRecord | null

  /** @param record the session that proved the identity at the handshake */
  constructor(request: FastifyRequest, record: SessionRecord | null, { sessions, users, tokenOf }: SessionSources) {
    this.#request = request
    this.#sessions = sessions
    this.#users = users
    this.#tokenOf = tokenOf
    this.#record = record
    this.#ref = record?.id ?? null
    this.#user = record?.user ?? null
  }

  endsAt(): number | null {
    if (this.#record === null) return null
    const [end, acting] = [this.#sessions.endOf(this.#record), actingOf(this.#record)]
    return acting === null ? end : Math.min(end ?? acting.until, acting.until)
  }

  async check(active: boolean): Promise<boolean | AccessToken> {
    const [ref, name] = [this.#ref, this.#user]
    if (ref === null || name === null) return false
    try {
      this.#record = await orUnavailable(() => this.#sessions.again(ref, active, this.#request))
      if (this.#record === null || this.#record.user !== name) return false
      const user = await orUnavailable(() => this.#users.findByIdentifier(name))
      return user !== null && isUsable(user) && (await this.#tokenOf(this.#record, user))
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
  readonly #tokens: Pick<TokenService, 'renewed' | 'whenRevoked'>

  constructor(token: AccessToken, tokens: Pick<TokenService, 'renewed' | 'whenRevoked'>) {
    this.#token = token
    this.#tokens = tokens
  }

  endsAt(): number | null {
    return expiryOf(this.#token)
  }

  async check(): Promise<boolean | AccessToken> {
    return (await this.#tokens.renewed(this.#token)) ?? false
  }

  watch(end: () => void): () => void {
    return this.#tokens.whenRevoked(this.#token, end)
  }
}

/** Epoch ms, where the token says one. */
export function expiryOf({ expiresAt }: AccessToken): number | null {
  return typeof expiresAt === 'number' ? expiresAt : null
}
