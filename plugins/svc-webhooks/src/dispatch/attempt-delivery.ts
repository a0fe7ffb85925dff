/**
 * One attempt. The endpoint is read again from the store, so that a new secret,
 * a new URL, a switch and a deletion hold at once, whatever the message waited
 * for. A store that does not answer is no reason to send to what may be stale.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, isAnnounced } from 'svc-kernel'
import type { WebhookRecord, WebhooksStore } from 'svc-stores'
import { within } from '../deadline/within.ts'
import type { EndpointSecrets } from '../secrets/endpoint-secrets.ts'
import { decodeSecret } from '../signature/secret.ts'
import type { Transport } from '../transport/transport.ts'
import type { AttemptEnd, Unsent, Withheld } from './attempt-end.ts'
import type { DeliveryJob } from './delivery-job.ts'
import { deliveryRequest } from './delivery-request.ts'

export interface AttemptParts {
  readonly store: Pick<WebhooksStore, 'find'>
  readonly secrets: Pick<EndpointSecrets, 'open'>
  readonly transport: Pick<Transport, 'send'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly deliveryTimeoutMs: number
}

/** Rejects only for an event that cannot be written as JSON. */
export async function attemptDelivery(job: DeliveryJob, parts: AttemptParts): Promise<AttemptEnd | Withheld> {
  const { store, secrets, transport, clock, log, deliveryTimeoutMs } = parts
  const began = clock.now()
  const unsent = (error: string, passing: boolean): Unsent => {
    return { kind: 'unsent', error, passing, durationMs: Math.max(0, clock.now() - began) }
  }
  let endpoint: WebhookRecord | null
  try {
    endpoint = await within(deliveryTimeoutMs, clock, () => store.find(job.endpointId))
  } catch (error) {
    const fields = { code: 'SVC_WEBHOOKS_STORE', err: error, endpoint: job.endpointId }
    log[isAnnounced(error) ? 'debug' : 'error'](fields, 'an endpoint could not be read')
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
