/** Events of the journal: their ids, and what a record becomes. */
import { randomBytes } from 'node:crypto'
import { type AuditEvent, type AuditRecord, safeText } from 'svc-kernel'
import { redactMetadata } from '../redaction/redact-metadata.ts'

/** Ten digits for nine thousand million events: text and number have the same order. */
const FIRST = 1_000_000_000

/** Escaped, text from outside may be six times as long as it was. */
const LONGEST_AGENT = 256

/** A random part per process, then a number that counts up: unique, cheap, and in order within a millisecond. */
export class EventIds {
  readonly #prefix = `aud_${randomBytes(9).toString('base64url')}_`
  #count = FIRST

  next(): string {
    this.#count += 1
    return this.#prefix + this.#count
  }
}

/** The event of a record: whole, redacted, frozen. Pure. */
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
    userAgent: text(record.userAgent)?.slice(0, LONGEST_AGENT) ?? null,
    requestId: text(record.requestId),
    metadata: redactMetadata(record.metadata)
  })
}

function text(value: unknown): string | null {
  if (typeof value === 'string') return safeText(value)
  if (value === undefined || value === null) return null
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : `[${typeof value}]`
}
