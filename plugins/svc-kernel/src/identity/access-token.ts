/**
 * The proof behind an identity, as the firewall leaves it on the request and
 * as voters read it. It says how the caller proved itself (`type`), never with what.
 */
import { newBrand } from './brand.ts'
import { ANONYMOUS, readField, toUser, type User } from './user.ts'

/**
 * A verified token. `type` is one of `session`, `userpassword`, `anonymous`
 * (human) or `apikey`, `jwt`, `oauth2`, `mtls`, `agent`, or any other (machine).
 */
export interface AccessToken {
  readonly type: string
  readonly user: User
  /** Scopes of a machine token, each `api:action`. Absent means none. */
  readonly scopes?: readonly string[]
  /** Promoted attributes such as `jti`, `claims`, `apiKeyId`, `tenantId`. */
  readonly [attribute: string]: unknown
  getUserIdentifier(): string
}

/** What `createAccessToken` takes; further keys are promoted as they are. */
export interface AccessTokenInput {
  type: string
  user: { identifier: string; roles?: readonly string[] }
  scopes?: readonly string[]
  [attribute: string]: unknown
}

const tokens = newBrand()

const NO_SCOPES: readonly string[] = Object.freeze([])

/**
 * Makes a frozen token.
 *
 * @throws TypeError when `type` or `user.identifier` is not a non-empty string, or `scopes` is not a list.
 */
export function createAccessToken(input: AccessTokenInput): AccessToken {
  const user = toUser(input.user)
  if (user === null) throw new TypeError('an access token needs a user with a non-empty identifier')
  if (typeof input.type !== 'string' || input.type === '') throw new TypeError('an access token needs a type')
  const scopes = Object.hasOwn(input, 'scopes') ? (input.scopes ?? NO_SCOPES) : NO_SCOPES
  if (!Array.isArray(scopes)) throw new TypeError('the scopes of an access token are a list')
  const token: AccessToken = {
    ...input,
    user,
    scopes: scopes.length === 0 ? NO_SCOPES : Object.freeze([...scopes]),
    getUserIdentifier: () => user.identifier
  }
  tokens.mark(token)
  return Object.freeze(token)
}

/**
 * Accepts what a custom authenticator returned: a token made here, an object of
 * the same shape, or a class instance that exposes `getUserIdentifier()`. Never throws.
 *
 * @returns `null` when no identity can be read from it: such a token proves nothing.
 */
export function adoptAccessToken(given: unknown): AccessToken | null {
  if (typeof given !== 'object' || given === null) return null
  if (tokens.bears(given)) return given as AccessToken
  try {
    return adopt(given)
  } catch {
    return null
  }
}

function adopt(given: object): AccessToken | null {
  const {
    type,
    user: _user,
    roles: _roles,
    scopes: _scopes,
    getUserIdentifier: _name,
    ...attributes
  } = given as Record<string, unknown>
  const getUserIdentifier = readField(given, 'getUserIdentifier')
  const named: unknown = typeof getUserIdentifier === 'function' ? getUserIdentifier.call(given) : undefined
  const identity = toUser(readField(given, 'user') ?? { identifier: named, roles: readField(given, 'roles') })
  if (identity === null || (named !== undefined && named !== identity.identifier)) return null
  const scopes = readField(given, 'scopes')
  return createAccessToken({
    ...attributes,
    // Own property only: an inherited type must not make a machine human, whom scopes never narrow.
    type: Object.hasOwn(given, 'type') && typeof type === 'string' && type !== '' ? type : 'unknown',
    user: identity,
    scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : []
  })
}

/** The token of a caller who was let in without proof. */
export const ANONYMOUS_TOKEN: AccessToken = createAccessToken({ type: 'anonymous', user: ANONYMOUS })
