/**
 * Every error that svc-security raises. A published code never changes. Refusals are expected answers, so they carry
 * no stack.
 */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

export {
  ImpersonationOver,
  ImpersonationReadOnly,
  ImpersonationRefused,
  NotWhileImpersonating
} from './acting/errors.ts'
export { LastAdministrator, UnknownRole, UserNotFound, UsersElsewhere } from './users/errors.ts'

/**
 * 401: the zone requires a credential, and the request has none or an invalid one. Fix: send a credential, as
 * `WWW-Authenticate` says.
 */
export const Unauthenticated = expectedError('SVC_SEC_UNAUTHENTICATED', 'authentication required', 401)

/**
 * 401: a password login failed; the text is the same for every cause. Fix: check name and password; the audit journal
 * has the cause.
 */
export const InvalidCredentials = expectedError('SVC_SEC_CREDENTIALS', 'INVALID_CREDENTIALS', 401)

/**
 * 401: a token or an API key is not valid; the text is the same for every cause. Fix: get a new one; the audit
 * journal has the cause.
 */
export const InvalidToken = expectedError('SVC_SEC_TOKEN', 'INVALID_TOKEN', 401)

/** 400: a token is asked for a resource that no zone has as its `audience` (RFC 8707). Fix: name the `audience` of a zone. */
export const InvalidTarget = expectedError('SVC_SEC_TARGET', 'INVALID_TARGET', 400)

/** 401: the request has no session, or its user may no longer act. Fix: log in again. */
export const InvalidSession = expectedError('SVC_SEC_SESSION', 'INVALID_SESSION', 401)

/** 403: a web page of another origin tried to open a WebSocket. Fix: add a trusted origin to `csrf.trustedOrigins`. */
export const OriginRefused = expectedError('SVC_SEC_ORIGIN', 'the origin is not allowed', 403)

/** 429: too many attempts failed. Fix: wait for the seconds in `Retry-After`. */
export const Throttled = expectedError('SVC_SEC_THROTTLED', 'too many attempts', 429)

/** 503: authentication did not settle in time, or an authenticator cannot work at the moment. */
export { AuthenticationUnavailable } from 'svc-kernel'

/** log: a voter or an authenticator did not answer in time. Fix: make it faster, or raise its timeout. */
export const DeadlineExceeded = expectedError<[ms: string]>('SVC_SEC_DEADLINE', 'no answer within %s ms', 503)

/**
 * log: the result of an authenticator names no user, or two credentials name different users. Fix: return `{ type,
 * user: { identifier } }`.
 */
export const NoIdentity = expectedError('SVC_SEC_NO_IDENTITY', 'the token contains no identity', 401)

/**
 * log: a request over a WebSocket enters a zone that does not list the authenticator of the socket; it was answered
 * 401. Fix: list the authenticator in that zone too, or send the request over HTTP.
 */
export const ForeignProof = expectedError(
  'SVC_SEC_FOREIGN_PROOF',
  'the zone does not list the authenticator of this socket',
  401
)

/**
 * log: a job runs as somebody who may not act, or in a zone that does not take what proved them; it is parked. Fix: read
 * the reason in its record; retry the job once that is mended.
 */
export const ForeignCause = expectedError<[why: string]>('SVC_SEC_JOB_IDENTITY', '%s', 401)

/** thrown: the token of a caller is too large to go along with a job. Fix: keep its attributes below 8 kB. */
export const CarriedTooLarge = expectedError<[bytes: string]>(
  'SVC_SEC_CARRIED',
  'the token of the caller has %s bytes, and a job takes 8192 along',
  500
)

/**
 * log: a request has two `Authorization` headers; it was answered 401. Fix: send one.
 *
 * Every hop may believe another one of the two.
 */
export const AmbiguousCredentials = expectedError('SVC_SEC_AMBIGUOUS', 'the request has two Authorization headers', 401)

/**
 * log: a voter returned a value that is not a vote, or voters call each other in a loop. Fix: return `GRANT`, `DENY`
 * or `ABSTAIN`.
 */
export const InvalidVote = expectedError<[what: string]>('SVC_SEC_INVALID_VOTE', '%s', 500)

/**
 * 503: too many passwords are waiting to be verified. Fix: wait for `Retry-After`; `passwords.maxQueue` sets the
 * limit.
 */
export const PasswordsBusy = expectedError('SVC_SEC_BUSY', 'too many logins at the moment', 503)

/**
 * 400, thrown: a password is empty, shorter than `passwords.minLength`, longer than 1024 characters, frequent, breached, or
 * refused by `parts.passwords.check`. Fix: choose another password.
 */
export const InvalidPassword = expectedError<[why: string]>('SVC_SEC_PASSWORD', 'the password %s', 400)

/**
 * 409: your application manages its users without `replacePassword`, or the password changed at the same moment. Fix:
 * change the password in your application, or add `replacePassword` to `parts.users`.
 */
export const PasswordKeptElsewhere = expectedError(
  'SVC_SEC_PASSWORD_ELSEWHERE',
  'the password cannot be changed here',
  409
)

/** 409: one-time codes are already enabled. Fix: disable them first, with a code. */
export const TotpEnrolled = expectedError('SVC_SEC_TOTP_ENROLLED', 'one-time codes are enabled already', 409)

/** 409: the user has not started an enrolment. Fix: start with `enroll`. */
export const TotpNotStarted = expectedError('SVC_SEC_TOTP_NOT_STARTED', 'no enrolment has been started', 409)

/** thrown: this Node cannot hash passwords. Fix: install Node 24.7 or later. */
export const PasswordsUnsupported = createError(
  'SVC_SEC_NO_ARGON2',
  'this Node cannot hash passwords: argon2 came with 24.7',
  500
)

/**
 * 403: a web page of another origin asked for a change or a login. Fix: add a trusted origin to
 * `csrf.trustedOrigins`.
 */
export const CrossSite = expectedError('SVC_SEC_CROSS_SITE', 'pages of other origins may not do this', 403)

/** 403: a change with a session has no CSRF token. Fix: send the header in the message. */
export const CsrfTokenMissing = expectedError<[header: string]>(
  'SVC_SEC_CSRF',
  'send the header %s with the csrfToken of GET /svc/security/api/auth/me or auth/csrf',
  403
)

/** 409: the user has as many API keys as `apiKeys.maxPerSubject` allows. Fix: revoke one. */
export const ApiKeyLimit = expectedError<[max: string]>(
  'SVC_SEC_KEY_LIMIT',
  'the user has %s API keys already; revoke one first',
  409
)

/** 404: no API key of this user has this id. Fix: list the keys with `GET keys`. */
export const ApiKeyNotFound = expectedError('SVC_SEC_KEY_UNKNOWN', 'no API key has this id', 404)

/**
 * 403: a machine asked for an API key, or for a scope that it does not have. Fix: log in as a person, or ask for
 * fewer scopes.
 */
export const BeyondOwnRights = expectedError<[what: string]>('SVC_SEC_BEYOND', '%s', 403)

/** 403: the token endpoint received the password of a user who has a second factor. Fix: log in with `auth/login`. */
export const SecondFactorDue = expectedError(
  'SVC_SEC_SECOND_FACTOR',
  'a second factor is due; log in with auth/login',
  403
)

/** 403, 401 and 403: the proof behind the caller does not suffice. */
export { PersonRequired, ProofDue, StepUpRequired } from 'svc-kernel'

/**
 * thrown: code asked `fastify.tokens` for a signed token, and signed tokens are off. Fix: list `jwt` in an area, or
 * set the option `jwt`.
 */
export const NoSigningKeys = createError(
  'SVC_SEC_NO_KEYS',
  'signed tokens are off: list jwt in an area, or set the option jwt',
  500
)

/**
 * thrown: `fastify.sessions`, `tokens`, `gates` or `userAccounts` was read, and svc-security has no accounts: no zone
 * lists `session`, `userpassword`, `jwt` or `apikey`, and no option asks for them. Fix: add what the message names:
 * `session` in an area, the option `session`, or `parts.users`; for tokens `jwt` or `apikey`.
 */
export const AccountsOff = createError<[decorator: string, fix: string]>(
  'SVC_SEC_ACCOUNTS_OFF',
  'fastify.%s is off, because svc-security has no accounts: %s',
  500
)

/**
 * 500: `request.session` or `sessions.update` was given a reserved key: logins set `user` and `pending`, and the
 * other reserved keys are fields and methods of the session. Fix: use another key; to log a user in, call
 * `fastify.sessions.open(request, reply, user)`.
 */
export const SessionKeyReserved = createError<[key: string]>(
  'SVC_SEC_SESSION_KEY',
  'request.session cannot keep the key "%s", which is reserved; use another key',
  500
)

/**
 * 500: your code wrote `request.session` before the session of the request was resumed, which would replace the
 * session and log its user out. Fix: list `session` in the route's zone, or `await fastify.sessions.resume(request)`
 * first.
 */
export const SessionUnread = createError(
  'SVC_SEC_SESSION_UNREAD',
  "request.session cannot be written, because the session of this request was not resumed; list session in the route's zone, or await fastify.sessions.resume(request) first",
  500
)

/**
 * 404: the user does not have this second factor, or the application does not use this kind. Fix: list the factors
 * again.
 */
export const FactorNotFound = expectedError('SVC_SEC_FACTOR_UNKNOWN', 'the user does not have this second factor', 404)

/** 404: no session has this reference; it may have ended. Fix: list the sessions again. */
export const SessionNotFound = expectedError('SVC_SEC_SESSION_UNKNOWN', 'no session has this reference', 404)

/** 404: the user has no token login with this id; it may have ended. Fix: list them with `GET auth/grants`. */
export const GrantNotFound = expectedError('SVC_SEC_GRANT_UNKNOWN', 'no token login has this id', 404)

/**
 * 400: the browser's answer is not a passkey of this site, or its challenge was used or is older than a minute. Fix:
 * start again with `register/options`; check `passkeys.rpId` and `passkeys.origins`.
 */
export const PasskeyInvalid = expectedError('SVC_SEC_PASSKEY', 'the passkey could not be verified', 400)

/** 409: the user has 20 passkeys. Fix: remove one. */
export const PasskeyLimit = expectedError<[max: string]>(
  'SVC_SEC_PASSKEY_LIMIT',
  'the user has %s passkeys already; remove one first',
  409
)

/** 404: the user has no passkey with this id. Fix: list the passkeys again. */
export const PasskeyNotFound = expectedError('SVC_SEC_PASSKEY_UNKNOWN', 'no passkey has this id', 404)

/** 400: the `Idempotency-Key` is not 1 to 255 printable ASCII characters. Fix: send a UUID. */
export const IdempotencyKeyInvalid = expectedError(
  'SVC_SEC_IDEMPOTENCY_KEY',
  'the Idempotency-Key must be 1 to 255 printable ASCII characters',
  400
)

/** 400: a change over a WebSocket has no idempotency key. Fix: send one. */
export const IdempotencyKeyMissing = expectedError(
  'SVC_SEC_IDEMPOTENCY_MISSING',
  'a change over a WebSocket needs an idempotency key',
  400
)

/** 409: the first request with this `Idempotency-Key` has not finished. Fix: wait, then send it again. */
export const IdempotencyInFlight = expectedError(
  'SVC_SEC_IDEMPOTENCY_IN_FLIGHT',
  'the first request with this Idempotency-Key has not finished',
  409
)

/** 422: the `Idempotency-Key` was used for a different request. Fix: send a new key. */
export const IdempotencyMismatch = expectedError(
  'SVC_SEC_IDEMPOTENCY_MISMATCH',
  'the Idempotency-Key was used for a different request',
  422
)

/**
 * 503: the request has an `Idempotency-Key`, or is a change over a WebSocket, and the idempotency store is disabled.
 * Fix: load the driver in `idempotency.store`.
 */
export const IdempotencyUnavailable = expectedError(
  'SVC_SEC_IDEMPOTENCY_UNAVAILABLE',
  'idempotency keys cannot be stored at the moment',
  503
)

/** 404: `oauth2.providers` has no provider with this name. Fix: correct the path, or add the provider. */
export const ProviderNotFound = expectedError('SVC_SEC_PROVIDER_UNKNOWN', 'no provider has this name', 404)
