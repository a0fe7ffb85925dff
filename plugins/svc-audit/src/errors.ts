/** Every error svc-audit can raise. A code, once published, never changes. */
import { createError } from '@fastify/error'

/** 503: the journal has no store, or its store does not answer. */
export const AuditUnavailable = createError(
  'SVC_AUDIT_UNAVAILABLE',
  'the audit journal cannot be read at the moment',
  503,
  Error,
  false
)

/** Never sent: the store did not take a batch in time. */
export const AppendTimeout = createError<[ms: string]>(
  'SVC_AUDIT_TIMEOUT',
  'the store took no batch within %s ms',
  503,
  Error,
  false
)
