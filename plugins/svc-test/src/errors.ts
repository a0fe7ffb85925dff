/** Every error that svc-test raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/**
 * 401: the receiver of svc-test: the signature of a message does not match. Fix: URL-encode `?secret=`; sign exactly
 * the bytes that you send.
 */
export const BadSignature = expectedError(
  'SVC_TEST_SIGNATURE',
  'bad signature: URL-encode ?secret=, and sign exactly the body that you send',
  401
)

/**
 * 400: the receiver of svc-test: a header is missing, malformed or stale, or `?secret=` is missing. Fix: correct what
 * the message names.
 */
export const BadMessage = expectedError<[finding: string]>('SVC_TEST_MESSAGE', '%s', 400)

/** 503: the receiver of svc-test: 1000 slow answers are waiting. Fix: wait. */
export const TooManySlow = expectedError('SVC_TEST_BUSY', 'too many slow answers are waiting', 503)

/**
 * thrown: the folder given to `buildApp` contains no application. Fix: pass the folder of `app.ts`, or of the
 * compiled `app.js`.
 */
export const NoApplication = createError<[folder: string, expected: string]>(
  'SVC_TEST_NO_APP',
  'there is no application in %s; looked for %s with an application as its default export',
  500,
  TypeError
)

/**
 * thrown: the application given to `actingAs` was not built by `buildApp`, or its config does not list svc-security.
 * Fix: build it with `buildApp`, and list `[svcSecurity, options]` in `modules`.
 */
export const CannotAct = createError(
  'SVC_TEST_CANNOT_ACT',
  'actingAs works on applications that buildApp made, whose config lists svc-security itself: put [svcSecurity, options] ' +
    'into modules, and not into a module of your own',
  500,
  TypeError
)
