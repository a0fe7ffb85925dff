/** The message of an event: its id, and the bytes that are signed and sent. */
import { hash } from 'node:crypto'
import type { AuditEvent } from 'svc-kernel'

export interface Message {
  /** `msg_<random base64url>`, the same on every attempt. */
  readonly id: string
  /** The same bytes on every attempt. */
  readonly body: Buffer
}

/** Characters of base64url: 144 bits. */
const LENGTH = 24

/** Derived: to admit an event for an endpoint again, after a crash or elsewhere, means the same message. @returns `msg_<base64url>` */
export function messageId(eventId: string, endpointId: string): string {
  // The length tells where the first ends: two pairs never make the same text.
  return `msg_${hash('sha256', `${eventId.length}:${eventId}${endpointId}`, 'base64url').slice(0, LENGTH)}`
}

/**
 * What a message is about: an event of the journal or, in a registry of another package, one that says what its message
 * holds. The journal gives its events no `message`.
 */
export type MessageEvent = AuditEvent & { readonly message?: Readonly<Record<string, unknown>> }

/**
 * The body of a message: the event in the envelope of the spec ("Webhook delivery message"). The same id and event always
 * give the same bytes, so that a message can be sent again without having been kept.
 *
 * @param id `msg_<random base64url>`
 */
export function webhookMessage(id: string, event: MessageEvent): Buffer {
  const timestamp = new Date(event.ts).toISOString()
  return Buffer.from(JSON.stringify({ id, timestamp, type: event.action, ...(event.message ?? { data: event }) }))
}
