/** Every error svc-webhooks can raise. A code, once published, never changes. */
import { createError } from '@fastify/error'

/** The text of the secret is never part of the message. */
export const InvalidWebhookSecret = createError<[finding: string]>(
  'SVC_WEBHOOKS_BAD_SECRET',
  'the webhook secret %s',
  500,
  TypeError
)

export const InvalidCidr = createError<[cidr: string]>(
  'SVC_WEBHOOKS_BAD_CIDR',
  '"%s" is not a network such as 10.0.0.0/8 or fd00::/8, written with its first address',
  500,
  TypeError
)

/** 422, thrown as `SsrfError`, which fixes the text. */
export const UrlRefused = createError<[text: string]>('SVC_WEBHOOKS_URL_REFUSED', '%s', 422, Error, false)

/** 400: what is to be subscribed to. */
export const BadEvents = createError(
  'SVC_WEBHOOKS_BAD_EVENTS',
  'events must be a list of patterns: *, an action, or prefix.*',
  400,
  Error,
  false
)

/** 401, thrown as `WebhookVerificationError`, which also has causes of its own with 400. */
export const MessageRefused = createError<[text: string]>('SVC_WEBHOOKS_SIGNATURE', '%s', 401, Error, false)

/** 404: there is no endpoint of this id. */
export const WebhookUnknown = createError(
  'SVC_WEBHOOKS_UNKNOWN',
  'there is no webhook endpoint of this id',
  404,
  Error,
  false
)

/** 404: the history of this instance holds no such message. */
export const MessageUnknown = createError(
  'SVC_WEBHOOKS_MESSAGE_UNKNOWN',
  'the history holds no message of this id; it keeps the last 20 per endpoint, in memory',
  404,
  Error,
  false
)

/** 409: the key has changed since the secret was stored. */
export const SecretUnreadable = createError(
  'SVC_WEBHOOKS_SECRET_UNREADABLE',
  'the secret cannot be read with the encryption key of this application; rotate it',
  409,
  Error,
  false
)

const Unavailable = createError<[reason: string]>('SVC_WEBHOOKS_UNAVAILABLE', '%s', 503, Error, false)

/** 503: webhooks are switched off, or their store does not answer. The reason is shown in production too. */
export class WebhooksUnavailable extends Unavailable {
  readonly expose = true
}

/** 503: an `Idempotency-Key` was sent and nothing here could keep its promise. */
export const NoIdempotencyGate = createError(
  'SVC_WEBHOOKS_NO_GATE',
  'no idempotency keys are kept here; send the request without one',
  503,
  Error,
  false
)

/** 503: a message sent by hand found no room, or the server is closing. */
export const QueueFull = createError('SVC_WEBHOOKS_QUEUE_FULL', 'the queue of deliveries is full', 503, Error, false)

/** Never sent: the store of endpoints did not answer in time. */
export const StoreTimeout = createError<[ms: string]>(
  'SVC_WEBHOOKS_TIMEOUT',
  'the store of webhook endpoints did not answer within %s ms',
  503,
  Error,
  false
)
