/** Every error that svc-kernel raises. A published code never changes. */
import { createError, type FastifyErrorConstructor } from '@fastify/error'

/** The type of an error class, so that packages need not depend on @fastify/error for it. */
export interface ExpectedError<Arguments extends unknown[]>
  extends FastifyErrorConstructor<{ code: string }, Arguments> {
  /** As its errors have them. */
  readonly code: string
  readonly statusCode: number
}

/**
 * Makes a class for expected answers, such as refusals. They carry no stack, because a stack costs half a request.
 *
 * @param message with a `%s` for each of the `Arguments`
 */
export function expectedError<Arguments extends unknown[] = [unknown?, unknown?, unknown?]>(
  code: string,
  message: string,
  statusCode: number
): ExpectedError<Arguments> {
  return Object.assign(createError<Arguments>(code, message, statusCode, Error, false), { code, statusCode })
}

/**
 * 403: a guard refused the caller. Fix: read the reason in the log; `npx svc explain <method> <path>` shows each
 * vote.
 *
 * A denial costs no stack: it is an expected answer, and a stack was measured at half a request.
 */
export const AccessDenied = expectedError('SVC_SEC_DENIED', 'access denied', 403)

/**
 * 403: the operation requires a recent login, or a factor that the session has not shown: `maxAge` (seconds) and
 * `factors` in the body say which. Fix: confirm with the password (`POST auth/confirm`), a code (`auth/confirm/totp`) or
 * a passkey (`auth/confirm/passkey`), or log in again; then repeat the request.
 */
export const ProofDue = expectedError(
  'SVC_SEC_PROOF_DUE',
  'confirm your identity first: POST /svc/security/api/auth/confirm, or log in again',
  403
)

/**
 * 401: the access token was issued after a login that is too old or too weak for the operation: `maxAge` (seconds) and
 * `factors` in the body say what is missing, and `WWW-Authenticate` says it as RFC 9470 does. Fix: get a token from a new
 * login; a refreshed token keeps the age of its login.
 */
export const StepUpRequired = expectedError(
  'SVC_SEC_STEP_UP',
  'the login behind this token is too old or too weak for this operation',
  401
)

/**
 * 403: the operation requires the proof of a person, and the credential is that of a machine, such as an API key. Fix:
 * log in as a person, or let the route admit machines: `@Fresh(300, { machines: true })`.
 */
export const PersonRequired = expectedError(
  'SVC_SEC_PERSON',
  'this operation requires the proof of a person, which no API key or other machine can give',
  403
)

/**
 * 409: the record has changed since the version in `If-Match`. Fix: read `current` in the answer, then send the
 * change again with its version.
 */
export const ChangedMeanwhile = expectedError<[what: string]>(
  'SVC_HTTP_CHANGED',
  '%s has changed since you read it',
  409
)

/**
 * thrown: a plugin declares a changing route with `adminRoute`, which is for reads. Fix: use `adminChange`, which
 * requires the scope `svc:admin` of a machine.
 */
export const UnscopedAdminRoute = createError<[method: string, path: string]>(
  'SVC_KERNEL_ADMIN_ROUTE',
  '%s %s is a changing route: build its options with adminChange instead of adminRoute',
  500,
  TypeError
)

/**
 * thrown: `config.proof` of a route, or `proofRequirement`, asks for no age and no factor that exist. Fix: use `{ maxAgeS:
 * 300 }`, `{ factor: 'any' }`, or both.
 */
export const InvalidRequiredProof = createError<[got: string, expected: string]>(
  'SVC_KERNEL_PROOF',
  'a required proof is %s; expected %s',
  500,
  TypeError
)

/**
 * 503: authentication took too long, or cannot work now. Fix: read the cause in the log; `authenticatorTimeoutMs`
 * sets the limit.
 */
export const AuthenticationUnavailable = expectedError(
  'SVC_SEC_UNAVAILABLE',
  'authentication is not available at the moment',
  503
)

/** thrown: an encryption key is not 32 bytes of base64. Fix: `openssl rand -base64 32`. */
export const InvalidSecretKey = createError<[finding: string]>(
  'SVC_KERNEL_SECRET_KEY',
  'the encryption key %s; it must be 32 bytes of base64',
  500,
  TypeError
)

/**
 * thrown: an encrypted value cannot be opened: wrong key, wrong purpose, altered or truncated. Fix: use the key and
 * the purpose that it was sealed with.
 */
export const InvalidSecretBox = createError<[reason: string]>(
  'SVC_KERNEL_SECRET_BOX',
  'the encrypted value cannot be opened (%s)',
  500
)

/** thrown: the name of a voter or an authenticator is taken. Fix: choose another name. */
export const DuplicateName = createError<[kind: string, name: string]>(
  'SVC_KERNEL_DUPLICATE_NAME',
  'a %s named "%s" is registered already',
  500,
  TypeError
)

/** thrown: a voter or an authenticator is registered after the boot. Fix: register it when its module loads. */
export const RegistrySealed = createError<[kind: string, name: string]>(
  'SVC_KERNEL_REGISTRY_SEALED',
  'a %s ("%s") must be registered at module load, before the application boots',
  500,
  TypeError
)

/** 404: no route matches this method and path. Fix: check both; `npx svc routes` lists them. */
export const NotFound = expectedError('SVC_HTTP_NOT_FOUND', 'not found', 404)

/**
 * 429: a rate limit of the route is spent. Fix: wait as long as `Retry-After` says; `RateLimit-Policy` shows the limit.
 */
export const LimitExceeded = expectedError<[seconds: string]>(
  'SVC_LIMIT_EXCEEDED',
  'too many requests; try again in %s s',
  429
)

/**
 * 503: a rate limit cannot be counted now, because its store does not answer and the limit has `onOutage: 'refuse'`, or
 * because svc-limits is not registered. Fix: read the cause in the log.
 */
export const LimitUnavailable = expectedError(
  'SVC_LIMIT_UNAVAILABLE',
  'the rate limit of this route cannot be counted at the moment',
  503
)

/**
 * thrown: by a health check: what it asks works, and not as well as it should. The application stays ready, and its health
 * is `degraded`. Fix: read the sentence in the log.
 */
export const Degraded = expectedError<[what: string]>('SVC_HEALTH_DEGRADED', '%s', 503)
