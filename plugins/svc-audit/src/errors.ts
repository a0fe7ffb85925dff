/** Every error that svc-audit raises. A published code never changes. */
import { expectedError } from 'svc-kernel/plugin'

/**
 * 503: the journal has no store, or its store does not answer. Fix: read the log; set `store` to a driver that is
 * loaded.
 */
export const AuditUnavailable = expectedError(
  'SVC_AUDIT_UNAVAILABLE',
  'the audit journal cannot be read at the moment',
  503
)

/** 404: the journal has no event with this id; it may be older than the retention. Fix: list the events again. */
export const AuditEventUnknown = expectedError('SVC_AUDIT_EVENT_UNKNOWN', 'no audit event has this id', 404)

/**
 * 503: with `durability: 'strict'`, the events of the request could not be stored, so its answer is withheld. Its
 * changes may have taken effect. Fix: check the database; svc-audit keeps the events and stores them later.
 */
export const AuditUnstored = expectedError(
  'SVC_AUDIT_UNSTORED',
  'the audit events of this request could not be stored',
  503
)

/** log: the store did not answer in time. Fix: check the database. */
export const AppendTimeout = expectedError<[ms: string]>(
  'SVC_AUDIT_TIMEOUT',
  'the store did not write a batch within %s ms',
  503
)
