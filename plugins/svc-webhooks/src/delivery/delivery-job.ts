/** One message on its way to one endpoint, from its admission to its outcome. */
import type { AuditEvent, AuditPort } from 'svc-kernel'
import { clientNetwork, randomId } from 'svc-kernel/plugin'
import type { Job } from 'svc-queue'
import { OWN_CATEGORY } from '../endpoints/event-types.ts'
import { type Message, webhookMessage } from '../signature/message.ts'

export class DeliveryJob implements Job {
  readonly lane: string
  readonly event: AuditEvent
  /** Sent by hand: one attempt, not counted, and also to a disabled endpoint. */
  readonly manual: boolean
  /** The network that provoked it; `null` for an event that is no refusal. */
  source: string | null = null
  /** Of the message; `null` before there is one. */
  id: string | null
  attempts = 0
  begunAt: number | null = null
  traceparent: string | null = null
  #message: Message | null = null

  /** @param id default: a random one, made for the first attempt @param manual default: a message with an id is sent by hand */
  constructor(endpointId: string, event: AuditEvent, id: string | null = null, manual = id !== null) {
    this.lane = endpointId
    this.event = event
    this.manual = manual
    this.id = id
  }

  /** Its lane. */
  get endpointId(): string {
    return this.lane
  }

  /** Serialised at the first call, not at admission: the recorder of the event does not wait for it. */
  message(): Message {
    this.id ??= randomId('msg')
    this.#message ??= { id: this.id, body: webhookMessage(this.id, this.event) }
    return this.#message
  }
}

/** The delivery of an event of the journal. Its source is the network that provoked it, if callers can provoke any number. */
export function jobOf(endpointId: string, event: AuditEvent, { catalogue }: Pick<AuditPort, 'catalogue'>): DeliveryJob {
  const job = new DeliveryJob(endpointId, event)
  if (catalogue?.get(event.action)?.provoked !== undefined) job.source = clientNetwork(event.ip ?? undefined)
  return job
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
