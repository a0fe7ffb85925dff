/**
 * Recovery codes: 80 random bits each, shown once, stored hashed with the user's
 * id. At that length a plain hash is enough: there is nothing to guess from.
 */
import { hash, randomBytes } from 'node:crypto'

export const RECOVERY_CODES = 10

/** Base32 of Crockford: no letter that is read as another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const FORM = /^[0-9a-hjkmnp-tv-z]{16}$/

/** `xxxx-xxxx-xxxx-xxxx`, ten of them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
}

/** @returns `null` for what cannot be a recovery code; blanks, dashes and capitals do not matter */
export function recoveryHash(userId: string, code: string): string | null {
  const plain = code.toLowerCase().replace(/[\s-]/g, '')
  return FORM.test(plain) ? hash('sha256', JSON.stringify(['recovery', userId, plain]), 'base64url') : null
}

function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(16), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}
