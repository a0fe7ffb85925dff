/**
 * Whether a password is among the 3000 most frequent ones that eight characters allow (ASVS 5.0, 6.2.4): the first that
 * anybody guesses, so they are refused without a list of breached ones. Case does not count.
 */
import { hash } from 'node:crypto'
import { FREQUENT_HASHES } from './frequent-password-hashes.ts'

const BYTES = 5

/** Decoded by the first password that is set: a login needs none of it. */
let sorted: Buffer | null = null

export function isFrequent(password: string): boolean {
  sorted ??= Buffer.from(FREQUENT_HASHES, 'base64')
  const digest = hash('sha256', password.normalize('NFC').toLowerCase(), 'buffer').subarray(0, BYTES)
  let [from, to] = [0, sorted.length / BYTES]
  while (from < to) {
    const middle = (from + to) >> 1
    const order = sorted.compare(digest, 0, BYTES, middle * BYTES, (middle + 1) * BYTES)
    if (order === 0) return true
    if (order < 0) from = middle + 1
    else to = middle
  }
  return false
}
