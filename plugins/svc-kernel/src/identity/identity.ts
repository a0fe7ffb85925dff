/**
 * Who is calling: the identity a controller sees, and the proof behind it as the firewall leaves it on the request and
 * voters read it. Never a credential, a hash or a record: both are copied field by field, marked and frozen. A token
 * says how, when and by what the caller proved itself, never with what.
 */
import { NO_PROOF, type ProofKind, proofOf } from './proof-kind.ts'

/**
 * A mark on objects made here, which no other code can set or copy: a private field, laid on any object by a
 * constructor that returns it. A WeakSet would say the same, but was measured at ten times the cost: each entry is
 * hashed, and every garbage collection visits it.
 */
export interface Brand {
  /** Call it before the object is frozen. */
  mark(object: object): void
  bears(object: object): boolean
}

export function newBrand(): Brand {
  return class Marked extends Given {
    readonly #mark = true

    static mark(object: object): void {
      new Marked(object)
    }

    static bears(object: object): boolean {
      return #mark in object
    }
  }
}

class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the one way to lay a private field on another object
    return object
  }
}

/** An authenticated (or anonymous) identity. Spec: "Identity, users, tokens". */
export interface User {
  /** Unique login of the subject, non-empty. */
  readonly identifier: string
  /** Roles as assigned, before the hierarchy is applied. */
  readonly roles: readonly string[]
}

const users = newBrand()

/** The one anonymous user of the process, shared and frozen. */
export const ANONYMOUS: User = made({ identifier: 'anonymous', roles: Object.freeze([]) })

/**
 * Reduces any user record to its identity.
 *
 * @returns a frozen `{identifier, roles}`, or `null` when the record has no usable identifier.
 * Roles that are not strings are left out: a damaged record may lose rights, never gain any.
 */
export function toUser(record: unknown): User | null {
  if (typeof record !== 'object' || record === null) return null
  if (users.bears(record)) return record as User
  const identifier = readField(record, 'identifier')
  const roles = readField(record, 'roles')
  if (typeof identifier !== 'string' || identifier === '') return null
  return made({
    identifier,
    roles: Object.freeze(Array.isArray(roles) ? roles.filter(isText) : [])
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function made(user: User): User {
  users.mark(user)
  return Object.freeze(user)
}

/**
 * Reads a field of an object that came from elsewhere: its own or its class's,
 * but never one planted on Object.prototype. A polluted prototype
 * must not give roles, scopes or a name to a record without them.
 */
export function readField(from: object, name: string): unknown {
  if (Object.hasOwn(Object.prototype, name) && !inheritsBelowRoot(from, name)) return undefined
  return (from as Record<string, unknown>)[name]
}

function inheritsBelowRoot(from: object, name: string): boolean {
  for (let level: object | null = from; level !== null; level = Object.getPrototypeOf(level) as object | null) {
    if (level !== Object.prototype && Object.hasOwn(level, name)) return true
  }
  return false
}

/**
 * A verified token. `type` is one of `session`, `userpassword`, `anonymous`
 * (human) or `apikey`, `jwt`, `oauth2`, `mtls`, `agent`, or any other (machine).
 */
export interface AccessToken {
  readonly type: string
  readonly user: User
  /** Scopes of a machine token, each `api:action`. Absent means none. */
  readonly scopes?: readonly string[]
  /**
   * Epoch ms at which the subject was last proven by itself: the login of a session (or a later confirmation of it), the
   * `auth_time` of a JWT, now for a password on the request. `null` where that is not known, as for API keys.
   */
  readonly provenAt: number | null
  /**
   * By what it was proven: `pwd`, `otp` and `mfa` as RFC 8176 names them (`amr` of a JWT), `passkey`, `recovery`, `social`.
   * Empty where that is not known.
   */
  readonly factors: readonly string[]
  /** As the authenticator that admitted it says, whatever the proof says. */
  readonly proof: ProofKind
  /** Promoted attributes such as `jti`, `claims`, `apiKeyId`, `tenantId`. */
  readonly [attribute: string]: unknown
  getUserIdentifier(): string
}

/** What `createAccessToken` takes; further keys are promoted as they are. */
export interface AccessTokenInput {
  type: string
  user: { identifier: string; roles?: readonly string[] }
  scopes?: readonly string[]
  /** Epoch ms. What is no such time is not known. */
  provenAt?: number | null
  factors?: readonly string[]
  [attribute: string]: unknown
}

const tokens = newBrand()

const NONE: readonly string[] = Object.freeze([])

/**
 * Makes a frozen token.
 *
 * @throws TypeError when `type` or `user.identifier` is not a non-empty string, or `scopes` is not a list.
 */
export function createAccessToken(input: AccessTokenInput): AccessToken {
  const user = toUser(input.user)
  if (user === null) throw new TypeError('an access token needs a user with a non-empty identifier')
  if (typeof input.type !== 'string' || input.type === '') throw new TypeError('an access token needs a type')
  const scopes = Object.hasOwn(input, 'scopes') ? (input.scopes ?? NONE) : NONE
  if (!Array.isArray(scopes)) throw new TypeError('the scopes of an access token are a list')
  const token: AccessToken = {
    ...input,
    user,
    scopes: scopes.length === 0 ? NONE : Object.freeze([...scopes]),
    provenAt: Object.hasOwn(input, 'provenAt') ? momentOf(input.provenAt) : null,
    factors: Object.hasOwn(input, 'factors') ? factorList(input.factors) : NONE,
    proof: proofOf(input),
    getUserIdentifier: () => user.identifier
  }
  tokens.mark(token)
  return Object.freeze(token)
}

/** A damaged time or list of factors proves nothing of late, and nothing by them. */
function momentOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

const factorLists = newBrand()

/** The factors of a proof (`amr`, RFC 8176), frozen. What is not text is left out. Make the list once where many tokens share it. */
export function factorList(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return NONE
  if (factorLists.bears(value)) return value
  const factors = value.filter((factor) => isText(factor) && factor !== '')
  factorLists.mark(factors)
  return Object.freeze(factors)
}

/** The same token, with another kind of proof, or with the roles that its user has now. */
export function withTraits(
  token: AccessToken,
  traits: { readonly proof?: ProofKind; readonly user?: User }
): AccessToken {
  const { user = token.user, proof = token.proof } = traits
  return createAccessToken({ ...token, user, proof } as AccessTokenInput)
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
    scopes: Array.isArray(scopes) ? scopes.filter(isText) : []
  })
}

/** The token of a caller who was let in without proof. */
export const ANONYMOUS_TOKEN: AccessToken = createAccessToken({ type: 'anonymous', user: ANONYMOUS, proof: NO_PROOF })
