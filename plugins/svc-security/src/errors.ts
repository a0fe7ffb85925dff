/**
 * Every error svc-security can raise. A code, once published, never changes.
 * Refusals carry no stack: they are expected answers, and cost what an answer costs.
 */
import { createError } from '@fastify/error'

/** 401: a zone without proof, or with proof that does not hold. One text for every cause. */
export const Unauthenticated = createError('SVC_SEC_UNAUTHENTICATED', 'authentication required', 401, Error, false)

/** 401: a password login failed. One text for every cause; the true one stands in the audit alone. */
export const InvalidCredentials = createError('SVC_SEC_CREDENTIALS', 'INVALID_CREDENTIALS', 401, Error, false)

/** 401: a token or an API key does not hold. One text for every cause; the true one stands in the audit alone. */
export const InvalidToken = createError('SVC_SEC_TOKEN', 'INVALID_TOKEN', 401, Error, false)

/** 401: there is no session, or its user may not act any more. One text for every cause. */
export const InvalidSession = createError('SVC_SEC_SESSION', 'INVALID_SESSION', 401, Error, false)

/** 403 before the 101: a WebSocket upgrade from an origin that is neither this host nor a trusted one. */
export const OriginRefused = createError('SVC_SEC_ORIGIN', 'the origin is not allowed', 403, Error, false)

/** 429: an authenticator asked the caller to come back later. */
export const Throttled = createError('SVC_SEC_THROTTLED', 'too many attempts', 429, Error, false)

/** 503: authentication did not settle in time, or an authenticator cannot work at the moment. */
export { AuthenticationUnavailable } from 'svc-kernel'

/** Never sent: a promise did not settle within its deadline. */
export const DeadlineExceeded = createError<[ms: string]>(
  'SVC_SEC_DEADLINE',
  'no answer within %s ms',
  503,
  Error,
  false
)

/** Never sent: what an authenticator returned proves no identity. */
export const NoIdentity = createError('SVC_SEC_NO_IDENTITY', 'the token proves no identity', 401, Error, false)

/** Never sent: a request over a WebSocket whose identity was proved in a way that the route's zone does not take. */
export const ForeignProof = createError(
  'SVC_SEC_FOREIGN_PROOF',
  'the identity of the socket was not proved by an authenticator of this zone',
  401,
  Error,
  false
)

/** Never sent: two `Authorization` headers, of which every hop may believe another. */
export const AmbiguousCredentials = createError(
  'SVC_SEC_AMBIGUOUS',
  'two Authorization headers were presented',
  401,
  Error,
  false
)

/** Never sent: a voter answered with something that is no vote, or cannot be asked. */
export const InvalidVote = createError<[what: string]>('SVC_SEC_INVALID_VOTE', '%s', 500, Error, false)

/** 503: more passwords wait to be checked than may; come back in `Retry-After` seconds. */
export const PasswordsBusy = createError('SVC_SEC_BUSY', 'too many logins at the moment', 503, Error, false)

/** 400: a password that cannot be one. */
export const InvalidPassword = createError<[why: string]>('SVC_SEC_PASSWORD', 'the password %s', 400, Error, false)

/** 409: a second factor stands already. */
export const TotpEnrolled = createError(
  'SVC_SEC_TOTP_ENROLLED',
  'one-time codes are enabled already',
  409,
  Error,
  false
)

/** 409: there is no enrolment that waits for its first code. */
export const TotpNotStarted = createError(
  'SVC_SEC_TOTP_NOT_STARTED',
  'no enrolment waits for a code',
  409,
  Error,
  false
)

/** 500: this Node has no argon2. */
export const PasswordsUnsupported = createError(
  'SVC_SEC_NO_ARGON2',
  'this Node cannot hash passwords: argon2 came with 24.7',
  500
)

/** 403: a change, or a login, that a page of another origin asks for. */
export const CrossSite = createError(
  'SVC_SEC_CROSS_SITE',
  'a page of another origin may not do this',
  403,
  Error,
  false
)

/** 403: a change made with a session, without the session's token. */
export const CsrfTokenMissing = createError<[header: string]>(
  'SVC_SEC_CSRF',
  'send the header %s, with the csrfToken that GET /svc/security/api/auth/me or auth/csrf answers',
  403,
  Error,
  false
)

/** 409: the user has as many API keys as one may have. */
export const ApiKeyLimit = createError<[max: string]>(
  'SVC_SEC_KEY_LIMIT',
  'there are %s API keys already; revoke one first',
  409,
  Error,
  false
)

/** 404: there is no API key of this id, or it is somebody else's. */
export const ApiKeyUnknown = createError('SVC_SEC_KEY_UNKNOWN', 'there is no such API key', 404, Error, false)

/** 403: a machine asked for more than it holds, or for a credential to outlive its own. */
export const BeyondOwnRights = createError<[what: string]>('SVC_SEC_BEYOND', '%s', 403, Error, false)

/** 403: the password held, and a second factor is due that this endpoint cannot take. */
export const SecondFactorDue = createError(
  'SVC_SEC_SECOND_FACTOR',
  'a second factor is due; log in with auth/login',
  403,
  Error,
  false
)

/** 500, thrown to the calling code: signed tokens are used, and neither a zone nor the options say so. */
export const NoSigningKeys = createError(
  'SVC_SEC_NO_KEYS',
  'signed tokens are off: list jwt in an area, or give the option jwt',
  500
)

/** 500, thrown to the calling code: a decorator of accounts is read, and neither a zone nor the options ask for any. */
export const AccountsOff = createError<[decorator: string, fix: string]>(
  'SVC_SEC_ACCOUNTS_OFF',
  'fastify.%s is off, as svc-security keeps no accounts here: %s',
  500
)

/** 404: there is no session of this reference. */
export const SessionUnknown = createError('SVC_SEC_SESSION_UNKNOWN', 'there is no such session', 404, Error, false)

/** 400: what a browser made is no passkey of this site, or answers another challenge. */
export const PasskeyInvalid = createError('SVC_SEC_PASSKEY', 'the passkey could not be verified', 400, Error, false)

/** 409: the user has as many passkeys as one may have. */
export const PasskeyLimit = createError<[max: string]>(
  'SVC_SEC_PASSKEY_LIMIT',
  'there are %s passkeys already; remove one first',
  409,
  Error,
  false
)

/** 404: there is no passkey of this id, or it is somebody else's. */
export const PasskeyUnknown = createError('SVC_SEC_PASSKEY_UNKNOWN', 'there is no such passkey', 404, Error, false)

/** 400: an `Idempotency-Key` that is none. */
export const IdempotencyKeyInvalid = createError(
  'SVC_SEC_IDEMPOTENCY_KEY',
  'the Idempotency-Key must be 1 to 255 printable ASCII characters',
  400,
  Error,
  false
)

/** 400: a change over a WebSocket without an `Idempotency-Key`. */
export const IdempotencyKeyMissing = createError(
  'SVC_SEC_IDEMPOTENCY_MISSING',
  'a change over a WebSocket needs an idempotency key',
  400,
  Error,
  false
)

/** 409: the first request with this key is still being served. */
export const IdempotencyInFlight = createError(
  'SVC_SEC_IDEMPOTENCY_IN_FLIGHT',
  'a request with this Idempotency-Key is being served',
  409,
  Error,
  false
)

/** 422: the key was used for another request. */
export const IdempotencyMismatch = createError(
  'SVC_SEC_IDEMPOTENCY_MISMATCH',
  'the Idempotency-Key was used for another request',
  422,
  Error,
  false
)

/** 503: a request that is to be done once, and nowhere to keep its key. */
export const IdempotencyUnavailable = createError(
  'SVC_SEC_IDEMPOTENCY_UNAVAILABLE',
  'idempotency keys cannot be kept at the moment',
  503,
  Error,
  false
)

/** 404: no OpenID Connect provider of this name is configured. */
export const ProviderUnknown = createError('SVC_SEC_PROVIDER_UNKNOWN', 'there is no such provider', 404, Error, false)
