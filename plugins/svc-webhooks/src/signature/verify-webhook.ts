/**
 * The receiver's side: is this message from the holder of the secret, unaltered
 * and recent? Signatures are compared in constant time; parts of another
 * version than `v1` are skipped. Repeats are not seen here: see `createSeenMessages`.
 */
import { timingSafeEqual } from 'node:crypto'
import { systemClock } from 'svc-kernel'
import { InvalidWebhookSecret } from '../errors.ts'
import { type ReceivedHeaders, readMessageHeaders } from './message-headers.ts'
import { decodeSecret } from './secret.ts'
import { signMessage } from './sign-message.ts'
import { WebhookVerificationError } from './verification-error.ts'

const VERSION = 'v1,'

export interface ReceivedWebhook {
  /** `whsec_...`. Several while a receiver changes from one secret to the next: one that fits is enough. */
  readonly secret: string | readonly string[]
  readonly headers: ReceivedHeaders
  /** The body as it was received, before any parser: a body that was parsed and written again has another signature. */
  readonly body: string | Uint8Array
  /** How old a message may be, and how far ahead, in seconds. 300 unless told. */
  readonly toleranceS?: number | undefined
  /** Epoch milliseconds; the machine's time unless told. */
  readonly now?: (() => number) | undefined
}

/**
 * @returns the id, to tell a repeat by, and the time of the attempt in epoch seconds
 * @throws WebhookVerificationError 400 for headers that are missing, malformed or stale, 401 when no signature fits
 * @throws InvalidWebhookSecret for a secret that is none, TypeError for a parsed body or a tolerance that is no number
 */
export function verifyWebhook(received: ReceivedWebhook): { id: string; timestamp: number } {
  const { secret, headers, body, toleranceS = 300, now = systemClock.now } = received
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('verifyWebhook needs the raw body: a string or bytes, not what a parser made of it')
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

/** Lengths are no secret: a signature of version 1 always has the same. */
function sameText(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}
