/** The compact form of an audit event for an alert: what happened, by whom, how it ended and why. Pure. */
import type { AuditEvent } from './audit-port.ts'

export interface AuditAlert {
  /** Of the event: the journal lists the whole of it under this id. */
  readonly id: string
  /** The audit action. */
  readonly type: string
  readonly data: Pick<AuditEvent, 'actor' | 'outcome' | 'reason'>
}

/** Leaves out what an alert needs not show: addresses, user agents, metadata. */
export function auditAlert({ id, action, actor, outcome, reason }: AuditEvent): AuditAlert {
  return { id, type: action, data: { actor, outcome, reason } }
}
