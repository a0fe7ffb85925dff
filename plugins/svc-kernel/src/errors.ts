/** Every error svc-kernel can raise. A code, once published, never changes. */
import { createError, type FastifyErrorConstructor } from '@fastify/error'

/** A class of errors; a package whose errors are of this type names svc-kernel alone. */
export interface ExpectedError<Arguments extends unknown[]>
  extends FastifyErrorConstructor<{ code: string }, Arguments> {}

/**
 * An error that is an expected answer, such as a refusal: it carries no stack, which was measured at half a request.
 *
 * @param message with a `%s` for each of the `Arguments`
 */
export function expectedError<Arguments extends unknown[] = [unknown?, unknown?, unknown?]>(
  code: string,
  message: string,
  statusCode: number
): ExpectedError<Arguments> {
  return createError<Arguments>(code, message, statusCode, Error, false)
}

/**
 * 403: the guard refused. Fix: the log says why; `svc explain` shows each vote.
 *
 * A denial costs no stack: it is an expected answer, and a stack was measured at half a request.
 */
export const AccessDenied = expectedError('SVC_SEC_DENIED', 'access denied', 403)

/**
 * 409: what is to be changed is not the version that `If-Match` names. Fix: look at `current` of the answer, then send
 * the change again with its version.
 */
export const ChangedMeanwhile = expectedError<[what: string]>(
  'SVC_HTTP_CHANGED',
  '%s was changed by somebody else meanwhile',
  409
)

/**
 * thrown: a plugin declares a route of an administrator that changes something as one that reads. Fix: build its options
 * with `adminChange`, so that a machine needs the scope `svc:admin`.
 */
export const UnscopedAdminRoute = createError<[method: string, path: string]>(
  'SVC_KERNEL_ADMIN_ROUTE',
  '%s %s changes something: build its options with adminChange instead of adminRoute',
  500,
  TypeError
)

/**
 * 503: authentication did not settle in time, or cannot work now. Fix: see the log; `authenticatorTimeoutMs` bounds the
 * time.
 */
export const AuthenticationUnavailable = expectedError(
  'SVC_SEC_UNAVAILABLE',
  'authentication is not available at the moment',
  503
)

/** thrown: an encryption key is not 32 bytes of base64. Fix: make one of 32 bytes. */
export const InvalidSecretKey = createError<[finding: string]>(
  'SVC_KERNEL_SECRET_KEY',
  'the encryption key %s, needs 32 bytes of base64',
  500,
  TypeError
)

/**
 * thrown: an encrypted value cannot be opened: other key, other purpose, altered or truncated. Fix: use the key and
 * context it was sealed with.
 */
export const InvalidSecretBox = createError<[reason: string]>(
  'SVC_KERNEL_SECRET_BOX',
  'the encrypted value cannot be opened (%s)',
  500
)

/** thrown: a voter or an authenticator is registered under a name that is taken. Fix: choose another name. */
export const DuplicateName = createError<[kind: string, name: string]>(
  'SVC_KERNEL_DUPLICATE_NAME',
  'a %s named "%s" is registered already',
  500,
  TypeError
)

/** thrown: a voter or an authenticator is registered after the boot. Fix: register it when the module loads. */
export const RegistrySealed = createError<[kind: string, name: string]>(
  'SVC_KERNEL_REGISTRY_SEALED',
  'a %s ("%s") must be registered at module load, before the application boots',
  500,
  TypeError
)

/** 404: no route answers this method and path. Fix: check both; `svc routes` lists them. */
export const NotFound = expectedError('SVC_HTTP_NOT_FOUND', 'not found', 404)
