/** The errors of sessions that act as another user, or would like to. */
import { expectedError } from 'svc-kernel/plugin'

/** 403: this session may not act as that user; the message says why. Fix: see docs/guides/impersonation.md. */
export const ImpersonationRefused = expectedError<[why: string]>(
  'SVC_SEC_IMPERSONATION',
  'you may not act as this user: %s',
  403
)

/**
 * 403: a request of a session that acts as another user would change something, open a WebSocket or add a job, and the
 * impersonation is read-only. Fix: begin again with `write`, if you may.
 */
export const ImpersonationReadOnly = expectedError(
  'SVC_SEC_READ_ONLY',
  'you act as another user, and may only read',
  403
)

/**
 * 403: a session that acts as another user asked for an account, a credential or administration. Fix: end the impersonation:
 * `DELETE /svc/security/api/impersonation`.
 */
export const NotWhileImpersonating = expectedError(
  'SVC_SEC_IMPERSONATING',
  'not while you act as another user; end that first: DELETE /svc/security/api/impersonation',
  403
)

/**
 * 403: the time to act as another user is over, or one of both may no longer. Fix: end it, `DELETE
 * /svc/security/api/impersonation`, and go on as yourself.
 */
export const ImpersonationOver = expectedError(
  'SVC_SEC_IMPERSONATION_OVER',
  'acting as another user is over; end it: DELETE /svc/security/api/impersonation',
  403
)
