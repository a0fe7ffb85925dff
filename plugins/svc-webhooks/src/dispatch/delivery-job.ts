/** One message on its way to one endpoint, from its admission to its outcome. */
import { type AuditEvent, randomId } from 'svc-kernel'
import { webhookMessage } from '../events/webhook-message.ts'

export interface Message {
  /** `msg_<random base64url>`, the same on every attempt. */
  readonly id: string
  /** The same bytes on every attempt. */
  readonly body: Buffer
}

export class DeliveryJob {
  readonly endpointId: string
  readonly event: AuditEvent
  /** Sent by hand: one attempt, not counted, and also to a disabled endpoint. */
  readonly manual: boolean
  /** Attempts begun so far. */
  attempts = 0
  #message: Message | null = null
  readonly #messageId: string | null

  /** @param messageId for a message sent by hand; others get theirs with their first attempt */
  constructor(endpointId: string, event: AuditEvent, messageId: string | null = null) {
    this.endpointId = endpointId
    this.event = event
    this.manual = messageId !== null
    this.#messageId = messageId
  }

  /** Written at the first call, not at admission: whoever recorded the event does not wait for it. */
  message(): Message {
    if (this.#message === null) {
      const id = this.#messageId ?? randomId('msg')
      this.#message = { id, body: webhookMessage(id, this.event) }
    }
    return this.#message
  }
}
