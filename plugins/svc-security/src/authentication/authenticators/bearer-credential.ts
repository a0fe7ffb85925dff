/**
 * The credential of `Authorization: Bearer <token>` (RFC 6750, 2.1): the scheme in
 * any case, one blank, one token of printable characters. Anything else is no
 * credential; a token in the query or in a form is never looked at. Pure.
 */
import type { IncomingHttpHeaders } from 'node:http'

const BEARER = /^bearer ([\x21-\x2b\x2d-\x7e]+)$/i

/** @returns `null` where there is none */
export function bearerOf({ authorization }: IncomingHttpHeaders): string | null {
  if (authorization === undefined) return null
  return BEARER.exec(authorization)?.[1] ?? null
}

/** Names no cause: which of them it was is nobody's business (RFC 6750, 3.1). */
export const BEARER_CHALLENGE = 'Bearer'
