/** Every error that svc-webhooks raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/**
 * thrown: a signing secret is missing, or is not base64 of 24 to 64 bytes. Fix: copy the whole secret: `whsec_` and
 * base64.
 *
 * The message never holds the secret.
 */
export const InvalidWebhookSecret = createError<[finding: string]>(
  'SVC_WEBHOOKS_BAD_SECRET',
  'the webhook secret %s',
  500,
  TypeError
)

/**
 * boot, thrown: an entry of `allowCidrs` is not a network, or is one that svc never opens. Fix: write it as
 * `10.20.0.0/16`, with its first address; remove link-local networks.
 */
export const InvalidCidr = createError<[cidr: string]>(
  'SVC_WEBHOOKS_BAD_CIDR',
  '"%s" is not a network such as 10.0.0.0/8 or fd00::/8, written with its first address',
  500,
  TypeError
)

/**
 * 422, thrown: the URL of an endpoint is not allowed (`SsrfError` of `assertUrlAllowed`; its `reason` says why). Fix:
 * use an `https:` URL of a public host, without credentials.
 */
export const UrlRefused = expectedError<[text: string]>('SVC_WEBHOOKS_URL_REFUSED', '%s', 422)

/**
 * 400, thrown: `fastify.webhooks`: `events` is not a list of patterns. Fix: give at least one of `*`, an action, or
 * `prefix.*`.
 */
export const BadEvents = expectedError(
  'SVC_WEBHOOKS_BAD_EVENTS',
  'events must be a list of patterns: *, an action, or prefix.*',
  400
)

/**
 * 400, thrown: a custom header of an endpoint cannot be sent: reserved, malformed, or too large. Fix: correct the
 * header in the message.
 *
 * The message never holds a value.
 */
export const BadHeaders = expectedError<[finding: string]>('SVC_WEBHOOKS_BAD_HEADERS', 'headers %s', 400)

/**
 * 400: the new URL has another origin, and the custom headers of the endpoint may hold credentials. Fix: send
 * `headers` with the URL, `{}` for none.
 */
export const HeadersStay = expectedError(
  'SVC_WEBHOOKS_HEADERS_STAY',
  'the new URL has another origin: send headers with it, {} for none',
  400
)

/** 400, thrown: `rotate`: `overlapS` is not a number of seconds up to a week. Fix: give 0 to 604800. */
export const BadOverlap = expectedError<[most: string]>(
  'SVC_WEBHOOKS_BAD_OVERLAP',
  'overlapS must be an integer from 0 to %s',
  400
)

/**
 * 400: the range of a recovery ends before it begins, or begins before the history or the journal does. Fix: correct the range, as
 * the message says.
 */
export const BadRange = expectedError<[finding: string]>('SVC_WEBHOOKS_BAD_RANGE', 'the range to recover %s', 400)

/** 409: a recovery of this endpoint is running. Fix: wait for it, or cancel it. */
export const RecoveryRunning = expectedError<[id: string]>(
  'SVC_WEBHOOKS_RECOVERING',
  'a recovery of this endpoint is running: %s',
  409
)

/**
 * 404: the endpoint has no recovery with this id, or a later recovery replaced it. Fix: recover the range again;
 * messages that were delivered meanwhile are left out.
 */
export const RecoveryNotFound = expectedError(
  'SVC_WEBHOOKS_RECOVERY_UNKNOWN',
  'no recovery of the endpoint has this id; svc keeps the last one only',
  404
)

/** 409: other requests keep changing this endpoint at the same time. Fix: try again. */
export const EndpointBusy = expectedError(
  'SVC_WEBHOOKS_BUSY',
  'other requests changed the endpoint at the same time; try again',
  409
)

/** 401, thrown: `verifyWebhook`: no signature matches. Fix: check the secret, and verify the raw body. */
export const MessageRefused = expectedError<[text: string]>('SVC_WEBHOOKS_SIGNATURE', '%s', 401)

/** 404: no webhook endpoint has this id. Fix: list the endpoints again. */
export const WebhookNotFound = expectedError('SVC_WEBHOOKS_UNKNOWN', 'no webhook endpoint has this id', 404)

/**
 * 404: the history has no message with this id; without the option `history` it holds the last 20 per endpoint, in
 * memory. Fix: choose a message from the list of deliveries.
 */
export const MessageNotFound = expectedError(
  'SVC_WEBHOOKS_MESSAGE_UNKNOWN',
  'the history has no message with this id',
  404
)

/**
 * 409: the secret of the endpoint was encrypted with another key. Fix: rotate the secret; keep the same
 * `encryptionKey`.
 */
export const SecretUnreadable = expectedError(
  'SVC_WEBHOOKS_SECRET_UNREADABLE',
  'the secret was encrypted with another key; rotate it',
  409
)

const Unavailable = expectedError<[reason: string]>('SVC_WEBHOOKS_UNAVAILABLE', '%s', 503)

/**
 * 503: webhooks are switched off, or cannot work now; the message says why. Fix: read the message and the log.
 *
 * The reason is shown in production too.
 */
export class WebhooksUnavailable extends Unavailable {
  readonly expose = true
}

/**
 * 503: the request has an `Idempotency-Key`, and the application does not support it. Fix: send the request without
 * one, or use svc-security with accounts.
 */
export const NoIdempotencyGate = expectedError(
  'SVC_WEBHOOKS_NO_GATE',
  'this application does not support Idempotency-Key; send the request without one',
  503
)

/**
 * 503: the queue is full, so a test message or a resent message was refused. Fix: try again later; `maxQueue` sets
 * the limit.
 */
export const QueueFull = expectedError('SVC_WEBHOOKS_QUEUE_FULL', 'the queue of deliveries is full', 503)

/** log: the store of endpoints did not answer in time. Fix: check the database. */
export const StoreTimeout = expectedError<[ms: string]>(
  'SVC_WEBHOOKS_TIMEOUT',
  'the store of webhook endpoints did not answer within %s ms',
  503
)
