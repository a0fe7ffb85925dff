/**
 * A password as it is hashed (RFC 8265, OpaqueString): every blank is a plain one,
 * and the same letters are the same bytes on every keyboard. No case mapping, no trimming. Pure.
 */

/** Longer ones are refused unhashed. */
export const MAX_PASSWORD_LENGTH = 1024

export function passwordText(given: string): string {
  return given.replace(/\p{Zs}/gu, ' ').normalize('NFC')
}
