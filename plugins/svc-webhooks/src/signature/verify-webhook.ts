/**
 * Verifies a received message: is it from the owner of the secret, unaltered and recent? Signatures are compared in
 * constant time; parts of a version other than `v1` are skipped. It does not detect repeats; use `createSeenMessages`.
 */
import { timingSafeEqual } from 'node:crypto'
import { systemClock } from 'svc-kernel'
import { InvalidWebhookSecret, MessageRefused } from '../errors.ts'
import { decodeSecret, signMessage } from './sign-message.ts'

const FAULTS = {
  headers: ['SVC_WEBHOOKS_HEADERS', 400],
  stale: ['SVC_WEBHOOKS_STALE', 400],
  signature: ['SVC_WEBHOOKS_SIGNATURE', 401]
} as const

/**
 * Why a message is refused, with the status to answer; the text contains neither signature nor secret. `code` tells
 * the cause: `SVC_WEBHOOKS_HEADERS` (400, a header is missing or malformed), `SVC_WEBHOOKS_STALE` (400, beyond the
 * tolerance), `SVC_WEBHOOKS_SIGNATURE` (401, no signature matches).
 */
export class WebhookVerificationError extends MessageRefused {
  override readonly statusCode: 400 | 401
  override readonly code: string

  constructor(fault: keyof typeof FAULTS, text: string) {
    super(text)
    const [code, statusCode] = FAULTS[fault]
    this.name = 'WebhookVerificationError'
    this.code = code
    this.statusCode = statusCode
  }
}

const VERSION = 'v1,'

/**
 * Headers of a message, with names in any case: `headers` or `headersDistinct` of a Node request, or an object with
 * `get`, such as the web's `Headers`.
 */
export type ReceivedHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null }

export interface ReceivedWebhook {
  /** `whsec_...`. A list while you change the secret: one match is enough. */
  readonly secret: string | readonly string[]
  readonly headers: ReceivedHeaders
  /** The body as received, before any parser: a parsed and re-serialised body has another signature. */
  readonly body: string | Uint8Array
  /** Allowed age of a message, past or future, in seconds. Default 300. */
  readonly toleranceS?: number | undefined
  /** Epoch milliseconds. Default: the system clock. */
  readonly now?: (() => number) | undefined
}

/**
 * @returns the id, to detect repeats, and the time of the attempt in epoch seconds
 * @throws WebhookVerificationError 400 for headers that are missing, malformed or stale, 401 if no signature matches
 * @throws InvalidWebhookSecret for an invalid secret, TypeError for a parsed body or an invalid tolerance
 */
export function verifyWebhook(received: ReceivedWebhook): { id: string; timestamp: number } {
  const { secret, headers, body, toleranceS = 300, now = systemClock.now } = received
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('verifyWebhook needs the raw body: a string or bytes, not the parsed value')
  }
  if (!(toleranceS >= 0)) throw new TypeError('toleranceS must be a number of seconds, 0 or more')
  const keys = [secret].flat().map(decodeSecret)
  if (keys.length === 0) throw new InvalidWebhookSecret('is missing')
  const { id, timestamp, signatures } = readMessageHeaders(headers)
  refuseStale(timestamp, Math.floor(now() / 1000), toleranceS)
  const presented = signatures.split(' ').filter((part) => part.startsWith(VERSION))
  const fits = keys.some((key) => {
    const expected = Buffer.from(signMessage(key, id, timestamp, body))
    return presented.some((part) => sameText(Buffer.from(part), expected))
  })
  if (!fits) throw new WebhookVerificationError('signature', 'bad signature')
  return { id, timestamp }
}

function refuseStale(timestamp: number, nowS: number, toleranceS: number): void {
  const age = nowS - timestamp
  if (age > toleranceS) throw new WebhookVerificationError('stale', `stale timestamp: ${age} s`)
  if (-age > toleranceS) throw new WebhookVerificationError('stale', `timestamp in the future: ${-age} s`)
}

/** Lengths may differ openly: a v1 signature always has the same length. */
function sameText(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

interface MessageHeaders {
  readonly id: string
  /** Epoch seconds. */
  readonly timestamp: number
  /** One or several, separated by a space. */
  readonly signatures: string
}

/** Far beyond any date, and still exact as a number. */
const TIMESTAMP = /^\d{1,12}$/

/** A full stop separates the signed parts, so an id with one could be read as id and timestamp. */
const ID = /^[^\s.]{1,256}$/

/** @throws WebhookVerificationError 400 if one is missing, given twice or malformed */
function readMessageHeaders(headers: ReceivedHeaders): MessageHeaders {
  const read = reader(headers)
  const id = read('webhook-id')
  const timestamp = read('webhook-timestamp')
  const signatures = read('webhook-signature', ' ')
  if (!ID.test(id)) throw new WebhookVerificationError('headers', 'webhook-id is malformed')
  if (!TIMESTAMP.test(timestamp)) throw new WebhookVerificationError('headers', 'webhook-timestamp is malformed')
  return { id, timestamp: Number(timestamp), signatures }
}

/** @returns a reader of one header. `separator` joins a header that may occur several times; others may not */
function reader(headers: ReceivedHeaders): (name: string, separator?: string) => string {
  return (name, separator) => {
    const given = isWebHeaders(headers) ? headers.get(name) : fieldOf(headers, name)
    const joined = Array.isArray(given) && (given.length === 1 || separator !== undefined)
    const value: unknown = joined ? given.join(separator) : given
    if (typeof value === 'string' && value !== '') return value
    const finding = Array.isArray(value) ? 'is given more than once' : 'is missing'
    throw new WebhookVerificationError('headers', `${name} ${finding}`)
  }
}

function isWebHeaders(headers: ReceivedHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}

function fieldOf(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  if (headers[name] !== undefined) return headers[name]
  const spelt = Object.keys(headers).find((key) => key.toLowerCase() === name)
  return spelt === undefined ? undefined : headers[spelt]
}
