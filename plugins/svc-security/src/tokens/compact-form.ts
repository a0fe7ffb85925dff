/**
 * The compact form of a signed token (RFC 7515, 7.1): three parts of base64url. Told
 * by its shape alone, before anything is decoded. Pure.
 */

/** Longer ones are refused unread; ours have about 500 characters. */
export const MAX_TOKEN_LENGTH = 8192

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** 64 bytes have one text: of the last character four bits are unused, and must be zero. */
const SIGNATURE = /\.[\w-]{85}[AQgw]$/

export function isCompact(text: string): boolean {
  return COMPACT.test(text)
}

/** Ends with an Ed25519 signature in its only spelling. */
export function isCanonicallySigned(text: string): boolean {
  return SIGNATURE.test(text)
}

/** The `kid` of the header; `null` where it has none that could be looked up. */
export function kidOf(text: string): string | null {
  try {
    const header: unknown = JSON.parse(Buffer.from(text.slice(0, text.indexOf('.')), 'base64url').toString())
    const kid = (header as { kid?: unknown } | null)?.kid
    return typeof kid === 'string' ? kid : null
  } catch {
    return null
  }
}
