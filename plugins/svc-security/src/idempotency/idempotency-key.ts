/**
 * Idempotency keys (draft-ietf-httpapi-idempotency-key-header-07): what one is, and
 * what a request with it is compared by. A key belongs to its caller: two callers may use the same text. Pure.
 */
import { hash } from 'node:crypto'

export const IDEMPOTENCY_HEADER = 'idempotency-key'

/** 1 to 255 printable characters. */
const FORM = /^[\x21-\x7e]{1,255}$/

export function isIdempotencyKey(value: unknown): value is string {
  return typeof value === 'string' && FORM.test(value)
}

/** Under which a key is kept. */
export function keyId(caller: string, key: string): string {
  return hash('sha256', JSON.stringify([caller, key]), 'base64url')
}

export interface ComparedRequest {
  readonly method: string
  /** Full template. */
  readonly route: string
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** Two requests of one fingerprint ask for the same thing. */
export function fingerprint({ method, route, params, query, body }: ComparedRequest): string {
  return hash('sha256', JSON.stringify([method, route, params ?? null, query ?? null, body ?? null]), 'base64url')
}
