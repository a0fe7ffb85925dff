/** One message on its way to one endpoint, from its admission to its outcome. */
import type { AuditEvent } from 'svc-kernel'
import { randomId } from 'svc-kernel/plugin'
import { OWN_CATEGORY } from '../../endpoints/event-types.ts'

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
  /** The network that provoked it; `null` for what is no refusal. */
  source: string | null = null
  /** Attempts begun so far. */
  attempts = 0
  /** When the last attempt began, epoch ms. */
  begunAt: number | null = null
  readonly #messageId: string | null
  #message: Message | null = null

  /** @param messageId default: a random one, made for the first attempt @param manual default: a message with an id is sent by hand */
  constructor(endpointId: string, event: AuditEvent, messageId: string | null = null, manual = messageId !== null) {
    this.endpointId = endpointId
    this.event = event
    this.manual = manual
    this.#messageId = messageId
  }

  /** `null` before there is a message. */
  get messageId(): string | null {
    return this.#message?.id ?? this.#messageId
  }

  /** Serialised at the first call, not at admission: whoever recorded the event does not wait for it. */
  message(): Message {
    const id = this.#message?.id ?? this.#messageId ?? randomId('msg')
    this.#message ??= { id, body: webhookMessage(id, this.event) }
    return this.#message
  }
}

/**
 * The body of a message: the event in the envelope of the spec ("Webhook delivery message"). The same id and event always
 * give the same bytes, so that a message can be sent again without having been kept.
 *
 * @param id `msg_<random base64url>`
 */
export function webhookMessage(id: string, event: AuditEvent): Buffer {
  const timestamp = new Date(event.ts).toISOString()
  return Buffer.from(JSON.stringify({ id, timestamp, type: event.action, data: event }))
}

/** The event of a message that an administrator sends to try an endpoint. It is never recorded. @param ts epoch ms */
export function testEvent(endpointId: string, ts: number): AuditEvent {
  return Object.freeze({
    id: randomId('test'),
    ts,
    category: OWN_CATEGORY,
    action: 'webhook.test',
    outcome: 'success',
    actor: null,
    resource: endpointId,
    reason: null,
    ip: null,
    userAgent: null,
    requestId: null,
    metadata: Object.freeze({})
  })
}
