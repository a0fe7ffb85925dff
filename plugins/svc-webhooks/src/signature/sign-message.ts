/**
 * The signature of a message, version 1: HMAC-SHA256 over
 * `{id}.{timestamp}.{body}`. The body is signed as the bytes that are sent.
 */
import { createHmac } from 'node:crypto'

/**
 * @param key the decoded secret, see `decodeSecret`
 * @param id the `webhook-id`, the same on every attempt
 * @param timestampS the `webhook-timestamp`, epoch seconds of this attempt
 * @param body exactly what is sent
 * @returns the value of `webhook-signature`: `v1,` and base64
 */
export function signMessage(key: Buffer, id: string, timestampS: number, body: string | Uint8Array): string {
  const digest = createHmac('sha256', key).update(`${id}.${timestampS}.`).update(body).digest('base64')
  return `v1,${digest}`
}
