/**
 * Logout tokens of a provider (OpenID Connect Back-Channel Logout 1.0, 2.6): signed with a key that its document names, for
 * this client, a moment ago, and no ID token. Whether one came before is not asked here.
 */
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { AuthenticationUnavailable } from '../../errors.ts'
import { refusedFor } from '../../journal/audit-writer.ts'
import { LogoutTokenInvalid } from '../errors.ts'
import type { LoggedOut } from './provider-sessions.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Of public keys: a MAC by the client secret, and `none`, are not among them. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const TYPES = [undefined, 'JWT', 'logout+jwt', 'application/logout+jwt']

/** How old one may be, and how far the clocks may be apart. */
export const LONGEST_AGE_S = 300
export const TOLERANCE_S = 60

export interface LogoutToken extends LoggedOut {
  readonly jti: string
}

/** Of whom a token must be. */
export interface LogoutTokenSetting {
  readonly provider: string
  readonly issuer: string
  readonly clientId: string
}

export class LogoutTokens {
  readonly #setting: LogoutTokenSetting
  readonly #keys: JWTVerifyGetKey

  /** @param keys address of the key set; it is read when a token names a key that is not known */
  constructor(setting: LogoutTokenSetting, keys: string) {
    this.#setting = setting
    this.#keys = createRemoteJWKSet(new URL(keys))
  }

  /**
   * @param now epoch ms
   * @throws LogoutTokenInvalid (400) with the cause as `reason`; AuthenticationUnavailable (503) where the keys cannot be read
   */
  async verify(token: string, now: number): Promise<LogoutToken> {
    const { payload, protectedHeader } = await this.#signed(token, now)
    if (!TYPES.includes(protectedHeader.typ)) throw tokenInvalid('typ')
    const { sub, sid, jti, events } = payload
    if (Object.hasOwn(payload, 'nonce')) throw tokenInvalid('nonce')
    if (typeof jti !== 'string' || jti === '') throw tokenInvalid('jti')
    if (!isLogout(events)) throw tokenInvalid('events')
    if (![sub, sid].every((value) => value === undefined || (typeof value === 'string' && value !== ''))) {
      throw tokenInvalid('subject')
    }
    if (sub === undefined && sid === undefined) throw tokenInvalid('subject')
    return { provider: this.#setting.provider, subject: sub ?? null, sid: (sid as string | undefined) ?? null, jti }
  }

  async #signed(token: string, now: number) {
    const { issuer, clientId: audience } = this.#setting
    try {
      return await jwtVerify<JWTPayload>(token, this.#keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['iat'],
        maxTokenAge: LONGEST_AGE_S,
        clockTolerance: TOLERANCE_S,
        currentDate: new Date(now)
      })
    } catch (error) {
      throw isAboutToken(error) ? tokenInvalid((error as errors.JOSEError).code) : unavailable(error)
    }
  }
}

/** What is wrong with the token; anything else is a key set that could not be read. */
function isAboutToken(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false
  // Its plain form says that the key set did not answer.
  return error instanceof errors.JOSEError && error.code !== errors.JOSEError.code
}

function unavailable(error: unknown): Error {
  return refusedFor(new AuthenticationUnavailable(), error instanceof Error ? error.message : 'key set')
}

function tokenInvalid(reason: string): Error {
  return refusedFor(new LogoutTokenInvalid(), reason)
}

function isLogout(events: unknown): boolean {
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, EVENT)) return false
  const event = (events as Record<string, unknown>)[EVENT]
  return typeof event === 'object' && event !== null && !Array.isArray(event)
}
