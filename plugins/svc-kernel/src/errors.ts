/** Every error svc-kernel can raise. A code, once published, never changes. */
import { createError } from '@fastify/error'

/** A denial costs no stack: it is an expected answer, and a stack was measured at half a request. */
export const AccessDenied = createError('SVC_SEC_DENIED', 'access denied', 403, Error, false)

/** Authentication did not settle in time, or cannot work at the moment. Over HTTP the answer, over a WebSocket a frame. */
export const AuthenticationUnavailable = createError(
  'SVC_SEC_UNAVAILABLE',
  'authentication is not available at the moment',
  503,
  Error,
  false
)

export const InvalidSecretKey = createError<[finding: string]>(
  'SVC_KERNEL_SECRET_KEY',
  'the encryption key %s, needs 32 bytes of base64',
  500,
  TypeError
)

export const InvalidSecretBox = createError<[reason: string]>(
  'SVC_KERNEL_SECRET_BOX',
  'the encrypted value cannot be opened (%s)',
  500
)

export const DuplicateName = createError<[kind: string, name: string]>(
  'SVC_KERNEL_DUPLICATE_NAME',
  'a %s named "%s" is registered already',
  500,
  TypeError
)

export const RegistrySealed = createError<[kind: string, name: string]>(
  'SVC_KERNEL_REGISTRY_SEALED',
  'a %s ("%s") must be registered at module load, before the application boots',
  500,
  TypeError
)

export const Internal = createError('SVC_HTTP_INTERNAL', 'internal error', 500)

export const NotFound = createError('SVC_HTTP_NOT_FOUND', 'not found', 404, Error, false)
