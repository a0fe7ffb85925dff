/**
 * The compact form of a signed token (RFC 7515, 7.1): three parts of base64url. Recognised
 * by its shape, before anything is decoded. Pure.
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

/** What decides before a signature is looked at. */
export interface TokenHeader {
  /** `null` where it is none that could be looked up. */
  readonly kid: string | null
  /** It has a member `crit`: whoever does not understand every extension it lists refuses (RFC 7515, 4.1.11). We know none. */
  readonly critical: boolean
}

/** The first part of a token. */
export function headerTextOf(text: string): string {
  return text.slice(0, text.indexOf('.'))
}

/** The header of every token that we sign with a key, as it is written: what it says is known without decoding it. */
export function ownHeaderText(kid: string): string {
  return Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'at+jwt', kid })).toString('base64url')
}

/** The header, not verified; of what cannot be read neither. */
export function headerOf(text: string): TokenHeader {
  try {
    const header: unknown = JSON.parse(Buffer.from(headerTextOf(text), 'base64url').toString())
    const { kid } = header as { kid?: unknown }
    return { kid: typeof kid === 'string' ? kid : null, critical: Object.hasOwn(header as object, 'crit') }
  } catch {
    return { kid: null, critical: false }
  }
}
