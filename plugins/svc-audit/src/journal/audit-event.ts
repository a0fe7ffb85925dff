/** Makes the event of a record: whole, redacted, frozen. Pure. */
import type { AuditEvent, AuditRecord } from 'svc-kernel'
import { redactMetadata } from '../redaction/redact-metadata.ts'
import { safeText } from '../redaction/safe-text.ts'

export function auditEvent(record: AuditRecord, id: string, ts: number): AuditEvent {
  return Object.freeze({
    id,
    ts,
    category: record.category,
    action: record.action,
    outcome: record.outcome,
    actor: text(record.actor),
    resource: text(record.resource),
    reason: text(record.reason),
    ip: text(record.ip),
    userAgent: text(record.userAgent),
    requestId: text(record.requestId),
    metadata: redactMetadata(record.metadata)
  })
}

function text(value: unknown): string | null {
  if (typeof value === 'string') return safeText(value)
  if (value === undefined || value === null) return null
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : `[${typeof value}]`
}
