/** Creates events of the journal from records, and their ids. */
import { randomBytes } from 'node:crypto'
import type { AuditEvent, AuditRecord } from 'svc-kernel'
import { safeText } from 'svc-kernel/plugin'
import { redactMetadata } from '../redaction/redact-metadata.ts'

/** Ten digits for nine billion events, so that text and number sort the same. */
const FIRST = 1_000_000_000

/** Escaping can make foreign text six times longer. */
const LONGEST_AGENT = 256

/** A random part per process, then a counter: unique, cheap, and in order within a millisecond. */
export class EventIds {
  readonly #prefix = `aud_${randomBytes(9).toString('base64url')}_`
  #count = FIRST

  next(): string {
    this.#count += 1
    return this.#prefix + this.#count
  }
}

/**
 * Creates the event of a record: complete, redacted, frozen. Pure. Both go into the metadata, `null` for none.
 *
 * @param traceId of the trace @param originalUser who really acts, where the caller acts as another user
 */
export function auditEvent(
  record: AuditRecord,
  id: string,
  ts: number,
  traceId: string | null = null,
  originalUser: string | null = null
): AuditEvent {
  const redacted = redactMetadata(record.metadata)
  const metadata = originalUser === null ? redacted : Object.freeze({ ...redacted, originalUser })
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
    metadata: traceId === null ? metadata : Object.freeze({ ...metadata, traceId })
  })
}

function text(value: unknown): string | null {
  if (typeof value === 'string') return safeText(value)
  if (value === undefined || value === null) return null
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : `[${typeof value}]`
}
