/** The id of a message, derived: whoever admits an event for an endpoint again, after a crash or on another instance, means the same message. */
import { hash } from 'node:crypto'

/** Characters of base64url: 144 bits. */
const LENGTH = 24

/** @returns `msg_<base64url>` */
export function messageId(eventId: string, endpointId: string): string {
  // The length tells where the first ends: two pairs never make the same text.
  return `msg_${hash('sha256', `${eventId.length}:${eventId}${endpointId}`, 'base64url').slice(0, LENGTH)}`
}
