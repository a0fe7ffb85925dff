/**
 * One attempt of a delivery: reads the endpoint again, signs the message, sends it, and classifies the result (spec,
 * "Delivery attempt classification", "Constants").
 */
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, type DeliveryRun, requestChannels } from 'svc-kernel'
import { currentTraceparent } from 'svc-kernel/plugin'
import { type LaneHealth, LONGEST_RETRY_MS, QUICK_MS } from 'svc-queue'
import type { WebhookRecord } from '../endpoints/endpoint.ts'
import { type EndpointHeaders, openCredentials, signingSecrets } from '../endpoints/endpoint-credentials.ts'
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.ts'
import type { DeliveryOutcome } from '../history/delivery-record.ts'
import type { Message } from '../signature/message.ts'
import { decodeSecret, signMessage } from '../signature/sign-message.ts'
import { logStoreFailure } from '../store-calls.ts'
import type { DeliveryJob } from './delivery-job.ts'
import type { AttemptResult, DeliveryRequest, Transport } from './transport/transport.ts'

const { delivery: runs } = requestChannels

/** A message that was sent by hand was withheld: its endpoint is gone, or its owner is suspended. */
export class EndpointClosed extends Error {}

/** The endpoint was deleted or disabled, so the message is not sent. */
export interface Withheld {
  readonly kind: 'withheld'
  readonly because: 'deleted' | 'disabled'
}

/** Nothing was sent, for a reason on our side, so it never counts against the endpoint. */
export interface Unsent {
  readonly kind: 'unsent'
  /** A fixed text. */
  readonly error: string
  /** True if the problem may be temporary. */
  readonly passing: boolean
  readonly durationMs: number
}

/** The result of the transport, or the reason why nothing was sent. */
export type AttemptEnd = AttemptResult | Unsent

/** `null` without an answer. */
export function statusOf(end: AttemptEnd): number | null {
  return end.kind === 'answered' ? end.status : null
}

/** An endpoint as an attempt reads it. */
export interface AttemptedEndpoint extends WebhookRecord {
  /** Nothing goes there, not even by hand: its owner is suspended. Of registries of other packages. */
  readonly closed?: boolean
}

export interface AttemptParts {
  readonly store: { find(id: string): Promise<AttemptedEndpoint | null> }
  readonly secrets: Pick<EndpointSecrets, 'open'>
  readonly transport: Pick<Transport, 'send'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly deliveryTimeoutMs: number
}

/**
 * Reads the endpoint from the store again, so that a new secret, a new URL, a switch and a deletion apply at once. If
 * the store does not answer, nothing is sent to a possibly outdated URL.
 *
 * Rejects only for an event that cannot be written as JSON.
 */
export async function attemptDelivery(job: DeliveryJob, parts: AttemptParts): Promise<AttemptEnd | Withheld> {
  const { store, secrets, transport, clock, log, deliveryTimeoutMs } = parts
  const began = clock.now()
  const unsent = (error: string, passing: boolean): Unsent => {
    return { kind: 'unsent', error, passing, durationMs: Math.max(0, clock.now() - began) }
  }
  let endpoint: AttemptedEndpoint | null
  try {
    endpoint = await store.find(job.endpointId)
  } catch (error) {
    logStoreFailure(log, error, 'an endpoint could not be read', job.endpointId)
    return unsent('endpoint store unavailable', true)
  }
  if (endpoint === null) return { kind: 'withheld', because: 'deleted' }
  if (endpoint.closed === true || (!endpoint.enabled && !job.manual)) return { kind: 'withheld', because: 'disabled' }
  const message = job.message()
  let keys: readonly Buffer[]
  let headers: EndpointHeaders
  try {
    const credentials = openCredentials(secrets, endpoint.secretEnc)
    keys = signingSecrets(credentials, clock.now()).map(decodeSecret)
    headers = credentials.headers
  } catch (error) {
    const fields = { code: 'SVC_WEBHOOKS_SECRET_UNREADABLE', err: error, endpoint: job.endpointId }
    log.error(fields, 'a message could not be signed: the secret of its endpoint cannot be read')
    return unsent('secret unreadable', false)
  }
  const timestampS = Math.floor(clock.now() / 1000)
  const target = { url: endpoint.url, keys, headers }
  const send = (): Promise<AttemptResult> => {
    const traceparent = currentTraceparent() ?? job.traceparent
    return transport.send(deliveryRequest(target, message, timestampS, traceparent), deliveryTimeoutMs)
  }
  return runs.hasSubscribers ? observedSend(job, message, send) : send()
}

function observedSend(job: DeliveryJob, { id: messageId }: Message, send: () => Promise<AttemptResult>) {
  const { endpointId, attempts: attempt, event } = job
  const run: DeliveryRun = { endpointId, type: event.action, eventId: event.id, messageId, attempt }
  return runs.trace(run, async () => {
    const end = await send()
    run.outcome = end.kind
    if (end.kind === 'answered') run.status = end.status
    return end
  })
}

/** The URL of a message, and the keys and headers to send with it. */
export interface DeliveryTarget {
  readonly url: string
  /** The decoded secrets; each of them signs. */
  readonly keys: readonly Buffer[]
  /** Custom headers of the endpoint, in lower case. */
  readonly headers: EndpointHeaders
}

/**
 * The request of an attempt (spec, "Outbound delivery"), signed for this attempt. Pure.
 *
 * @param timestampS epoch seconds of this attempt
 * @param traceparent of the attempt; `null` without a trace
 */
export function deliveryRequest(
  target: DeliveryTarget,
  { id, body }: Message,
  timestampS: number,
  traceparent: string | null = null
): DeliveryRequest {
  const headers = {
    ...(traceparent !== null && { traceparent }),
    ...target.headers,
    'content-type': 'application/json',
    'user-agent': 'Svc-Webhooks/1.0',
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': target.keys.map((key) => signMessage(key, id, timestampS, body)).join(' ')
  }
  return { url: target.url, headers, body }
}

export type AttemptVerdict = 'success' | 'retry' | 'failure' | 'abandoned'

/** 408 Request Timeout and 429 Too Many Requests are retried. */
const RETRIED: ReadonlySet<number> = new Set([408, 429])

export function classifyAttempt(end: AttemptEnd): AttemptVerdict {
  if (end.kind === 'abandoned') return 'abandoned'
  if (end.kind === 'failed') return 'retry'
  if (end.kind === 'unsent') return end.passing ? 'retry' : 'failure'
  const { status } = end
  if (status >= 200 && status <= 299) return 'success'
  return (status >= 500 && status <= 599) || RETRIED.has(status) ? 'retry' : 'failure'
}

const FINAL: Readonly<Record<AttemptVerdict, DeliveryOutcome>> = {
  success: 'delivered',
  retry: 'exhausted',
  failure: 'failed',
  abandoned: 'abandoned'
}

/** The outcome of a delivery with this verdict, if there is no further attempt. */
export function finalOutcome(verdict: AttemptVerdict): DeliveryOutcome {
  return FINAL[verdict]
}

/** What an attempt says about the health of its endpoint. */
export function healthAfter(verdict: AttemptVerdict, durationMs: number): LaneHealth {
  const quick = durationMs <= QUICK_MS
  if (verdict === 'retry') return quick ? 'unproven' : 'failing'
  return quick ? 'quick' : 'slow'
}

const FIRST_BACKOFF_MS = 5_000

/** Statuses whose `Retry-After` applies to retries (RFC 9110, RFC 6585). */
const RETRY_AFTER: ReadonlySet<number> = new Set([429, 503])

/**
 * 5 s, doubled per attempt, at most 300 s, without jitter. @param failures attempts that have failed so far, at least
 * 1
 */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_RETRY_MS)
}

/**
 * When the next attempt is due. A receiver may ask for more time than the schedule, up to its longest wait, but never
 * for less.
 *
 * @param now epoch ms, when the attempt ended @returns epoch ms
 */
export function retryDue(failures: number, end: AttemptEnd, now: number): number {
  return now + Math.min(Math.max(backoffMs(failures), askedDelayMs(end, now)), LONGEST_RETRY_MS)
}

/** The delay that the receiver asks for, in ms; 0 without one. @param now epoch ms */
export function askedDelayMs(end: AttemptEnd, now: number): number {
  return end.kind === 'answered' && RETRY_AFTER.has(end.status) ? retryAfterMs(end.retryAfter ?? '', now) : 0
}

/** Seconds, or an HTTP date (RFC 9110, section 10.2.3). @returns ms; 0 for anything else */
function retryAfterMs(header: string, now: number): number {
  const text = header.trim()
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  const date = /^[A-Z][a-z]{2,8},? .*\bGMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
