/** Every error svc-test can raise. A code, once published, never changes. */
import { createError } from '@fastify/error'

/** 401: the signature of a received message does not hold. */
export const BadSignature = createError(
  'SVC_TEST_SIGNATURE',
  'bad signature; is ?secret= URL-encoded, and was the very body signed that was sent?',
  401,
  Error,
  false
)

/** 400: what a signed message needs is missing, malformed or stale. */
export const BadMessage = createError<[finding: string]>('SVC_TEST_MESSAGE', '%s', 400, Error, false)

/** 503: more slow answers wait than the receiver keeps. */
export const TooManySlow = createError('SVC_TEST_BUSY', 'too many slow answers wait already', 503, Error, false)

/** A folder that is asked for an application holds none. */
export const NoApplication = createError<[folder: string, expected: string]>(
  'SVC_TEST_NO_APP',
  'there is no application in %s; looked for %s with an application as its default export',
  500,
  TypeError
)

/** An identity is asked of an application that `buildApp` did not build, or whose zones it cannot reach. */
export const CannotAct = createError(
  'SVC_TEST_CANNOT_ACT',
  'actingAs works on applications that buildApp made, whose config lists svc-security itself: put [svcSecurity, options] ' +
    'into modules, and not into a module of your own',
  500,
  TypeError
)
