/**
 * Secrets and signatures of endpoints (Standard Webhooks, version 1). A secret is `whsec_` and the base64 of its key;
 * the prefix is not part of the key and may be missing.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { InvalidWebhookSecret } from '../errors.ts'

const PREFIX = 'whsec_'
const KEY_BYTES = 32

/** The range of Standard Webhooks; svc generates keys of 32 bytes. */
const LEAST_BYTES = 24
const MOST_BYTES = 64

/** A new secret of 256 random bits: `whsec_` and 44 characters of base64. */
export function generateSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64')
}

/**
 * The key of a secret, 24 to 64 bytes. Decoding is strict, because Node skips characters that are not base64, and a
 * mistyped secret would become a short key.
 *
 * @throws InvalidWebhookSecret (SVC_WEBHOOKS_BAD_SECRET) for anything but padded standard base64 of that length.
 */
export function decodeSecret(secret: string): Buffer {
  // In plain JavaScript, an unset environment variable arrives here as undefined.
  if (typeof secret !== 'string') throw new InvalidWebhookSecret('is missing')
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  const key = Buffer.from(text, 'base64')
  if (key.toString('base64') !== text) throw new InvalidWebhookSecret('is not base64')
  if (key.length < LEAST_BYTES || key.length > MOST_BYTES) {
    throw new InvalidWebhookSecret(`decodes to ${key.length} bytes, needs ${LEAST_BYTES} to ${MOST_BYTES}`)
  }
  return key
}

/**
 * HMAC-SHA256 over `{id}.{timestamp}.{body}`, with the body as the bytes to send.
 *
 * @param key the decoded secret, see `decodeSecret`
 * @param id the `webhook-id`, the same on every attempt
 * @param timestampS the `webhook-timestamp`, epoch seconds of this attempt
 * @param body exactly the bytes to send
 * @returns the value of `webhook-signature`: `v1,` and base64
 */
export function signMessage(key: Buffer, id: string, timestampS: number, body: string | Uint8Array): string {
  const digest = createHmac('sha256', key).update(`${id}.${timestampS}.`).update(body).digest('base64')
  return `v1,${digest}`
}
