/**
 * One-time codes (RFC 6238): 6 digits, 30 seconds, SHA-1, one step to either side, what every authenticator app
 * understands; and recovery codes: 80 random bits each, shown once, stored hashed with the user's id. At that length a
 * plain hash is enough: there is nothing to guess from. Pure but for fresh secrets.
 */
import { hash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
const DIGITS = 6
const WINDOW = 1
const ALGORITHM = 'SHA1'
const CODE_FORM = /^\d{6}$/

/** 160 bits, base32: the length that RFC 4226 recommends. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** What an authenticator app reads from a QR code: `otpauth://totp/<issuer>:<label>?...`. */
export function totpUri(secret: string, label: string, issuer: string): string {
  const setting = { secret, label, issuer, algorithm: ALGORITHM, digits: DIGITS, period: PERIOD_S }
  return new TOTP(setting).toString()
}

/**
 * The time step that a code belongs to; a step, once used, never counts again.
 *
 * @param now epoch ms
 * @returns `null` for a code of no step around now
 */
export function matchingStep(secret: string, code: string, now: number): number | null {
  if (!CODE_FORM.test(code)) return null
  const delta = TOTP.validate({
    token: code,
    secret: Secret.fromBase32(secret),
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: PERIOD_S,
    timestamp: now,
    window: WINDOW
  })
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_S) + delta
}

export const RECOVERY_CODES = 10

/** Base32 of Crockford: no letter that is read as another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const RECOVERY_FORM = /^[0-9a-hjkmnp-tv-z]{16}$/

/** `xxxx-xxxx-xxxx-xxxx`, ten of them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
}

/** @returns `null` for what cannot be a recovery code; blanks, dashes and capitals do not matter */
export function recoveryHash(userId: string, code: string): string | null {
  const plain = code.toLowerCase().replace(/[\s-]/g, '')
  return RECOVERY_FORM.test(plain) ? hash('sha256', JSON.stringify(['recovery', userId, plain]), 'base64url') : null
}

function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(16), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}
