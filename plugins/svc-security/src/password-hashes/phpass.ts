/**
 * Portable hashes of phpass, `$P$` of WordPress and `$H$` of phpBB: rounds of MD5 over the password. They are computed on the
 * main thread, in parts, so that other requests have their turn in between.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

const DIGITS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORM = /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/

/** Rounds as powers of two: what phpass makes begins at 7, and WordPress uses 13. */
const [MIN_LOG, MAX_LOG] = [7, 18]

const ROUNDS_AT_ONCE = 2048

export function readPhpass(text: string): ((plain: string) => Promise<boolean>) | null {
  const [, digit, salt, key] = FORM.exec(text) ?? []
  if (digit === undefined || salt === undefined || key === undefined) return null
  const log = DIGITS.indexOf(digit)
  if (log < MIN_LOG || log > MAX_LOG) return null
  return async (plain) => {
    const password = Buffer.from(plain)
    let digest = md5(Buffer.from(salt), password)
    for (let round = 1; round <= 2 ** log; round += 1) {
      digest = md5(digest, password)
      if (round % ROUNDS_AT_ONCE === 0) await setImmediate()
    }
    return timingSafeEqual(Buffer.from(encode(digest)), Buffer.from(key))
  }
}

function md5(before: Buffer, password: Buffer): Buffer {
  return hash('md5', Buffer.concat([before, password]), 'buffer')
}

/** Three bytes as four digits, the lowest bits first. */
function encode(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.subarray(at, at + 3)
    let value = group.reduce((sum, byte, index) => sum | (byte << (8 * index)), 0)
    for (let digit = 0; digit <= group.length; digit += 1) {
      text += DIGITS[value & 63]
      value >>= 6
    }
  }
  return text
}
