/** One attempt of a delivery: the endpoint read again, the message signed, sent, and how that ended. */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.ts'
import type { WebhookRecord, WebhooksStore } from '../endpoints/endpoint-store.ts'
import { logStoreFailure } from '../endpoints/guarded-store.ts'
import { decodeSecret, signMessage } from '../signature/sign-message.ts'
import { withTimeout } from '../with-timeout.ts'
import type { DeliveryJob, Message } from './queue/delivery-job.ts'
import type { AttemptResult, DeliveryRequest, Transport } from './transport/transport.ts'

/** The endpoint is gone or switched off: the message is no longer wanted. */
export interface Withheld {
  readonly kind: 'withheld'
  readonly because: 'deleted' | 'disabled'
}

/** Nothing was sent, and the receiver has no part in it: it is never counted against the endpoint. */
export interface Unsent {
  readonly kind: 'unsent'
  /** Fixed words. */
  readonly error: string
  /** True when it may pass. */
  readonly passing: boolean
  readonly durationMs: number
}

/** What the transport says, or why nothing was given to it. */
export type AttemptEnd = AttemptResult | Unsent

export interface AttemptParts {
  readonly store: Pick<WebhooksStore, 'find'>
  readonly secrets: Pick<EndpointSecrets, 'open'>
  readonly transport: Pick<Transport, 'send'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly deliveryTimeoutMs: number
}

/**
 * The endpoint is read again from the store: a new secret, a new URL, a switch and a deletion hold at once, however long
 * the message waited. A store that does not answer is no reason to send to what may be stale.
 *
 * Rejects only for an event that cannot be written as JSON.
 */
export async function attemptDelivery(job: DeliveryJob, parts: AttemptParts): Promise<AttemptEnd | Withheld> {
  const { store, secrets, transport, clock, log, deliveryTimeoutMs } = parts
  const began = clock.now()
  const unsent = (error: string, passing: boolean): Unsent => {
    return { kind: 'unsent', error, passing, durationMs: Math.max(0, clock.now() - began) }
  }
  let endpoint: WebhookRecord | null
  try {
    endpoint = await withTimeout(deliveryTimeoutMs, clock, () => store.find(job.endpointId))
  } catch (error) {
    logStoreFailure(log, error, 'an endpoint could not be read', job.endpointId)
    return unsent('endpoint store unavailable', true)
  }
  if (endpoint === null) return { kind: 'withheld', because: 'deleted' }
  if (!endpoint.enabled && !job.manual) return { kind: 'withheld', because: 'disabled' }
  const message = job.message()
  let key: Buffer
  try {
    key = decodeSecret(secrets.open(endpoint.secretEnc))
  } catch (error) {
    const fields = { code: 'SVC_WEBHOOKS_SECRET_UNREADABLE', err: error, endpoint: job.endpointId }
    log.error(fields, 'a message could not be signed: the secret of its endpoint cannot be read')
    return unsent('secret unreadable', false)
  }
  return transport.send(deliveryRequest(endpoint.url, key, message, Math.floor(clock.now() / 1000)), deliveryTimeoutMs)
}

const USER_AGENT = 'Svc-Webhooks/1.0'

/**
 * What a receiver gets (spec, "Outbound delivery"): the message, signed for this very attempt. Pure.
 *
 * @param key the decoded secret @param timestampS epoch seconds of this attempt
 */
export function deliveryRequest(url: string, key: Buffer, message: Message, timestampS: number): DeliveryRequest {
  const { id, body } = message
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': signMessage(key, id, timestampS, body)
  }
  return { url, headers, body }
}
