/**
 * One-time codes (RFC 6238): 6 digits, 30 seconds, SHA-1, one step to either side.
 * These are what every authenticator app understands. Pure but for fresh secrets.
 */
import { Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
const DIGITS = 6
const WINDOW = 1
const ALGORITHM = 'SHA1'
const FORM = /^\d{6}$/

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
  if (!FORM.test(code)) return null
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
