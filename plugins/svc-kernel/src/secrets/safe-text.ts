/**
 * Text from outside, made fit for the journal and for lists: what looks like a credential is masked, control and direction characters
 * are escaped, the length is bounded. Plain text, which nearly all is, passes two quick tests and no more. Pure.
 */
export const MASK = '[redacted]'

/** Control, direction-changing and line-separating characters, and half characters: all that can forge a line. */
const UNSAFE = /[\p{Cc}\p{Surrogate}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const NOT_PLAIN = /[^\x20-\x7e]/

/** Bearer and Basic credentials, webhook secrets, compact JWTs, API keys of the form `<prefix>_` and 36 characters. */
const CREDENTIAL =
  /\b(?:bearer|basic) +[\w.~+/=-]{4,}|\bwhsec_[\w+/=-]+|\beyJ[\w-]{4,}\.[\w-]+\.[\w-]*|\b[a-z0-9]{1,12}_[A-Za-z0-9]{36}(?![A-Za-z0-9])/gi

/** What every credential has, cheaper to look for. */
const SCHEME = /(?:bearer|basic) /i
const KEY = /whsec_|_[A-Za-z0-9]{36}/i
const SHORTEST_CREDENTIAL = 10

/** Nothing longer is looked at: time stays bounded whatever is sent. */
const LOOK_AT = 4096

/** @param limit characters kept, before escaping */
export function safeText(text: string, limit = 256): string {
  const seen = text.length > LOOK_AT ? text.slice(0, LOOK_AT) : text
  const masked = mayHoldCredential(seen) ? seen.replace(CREDENTIAL, MASK) : seen
  const cut = masked.length > limit ? `${masked.slice(0, limit - 3)}...` : masked
  return NOT_PLAIN.test(cut) ? cut.replace(UNSAFE, escaped) : cut
}

function mayHoldCredential(text: string): boolean {
  if (text.length < SHORTEST_CREDENTIAL) return false
  return text.includes('eyJ') || (text.includes('_') && KEY.test(text)) || SCHEME.test(text)
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
