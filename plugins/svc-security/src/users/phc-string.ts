/**
 * The stored form of a password hash: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`.
 * What was stored decides the work of a login, so its figures are bounded. Pure.
 */
import type { PasswordCost } from './password-cost.ts'

export interface PasswordHash extends PasswordCost {
  readonly salt: Buffer
  readonly hash: Buffer
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

export function writePhc({ memoryKib, passes, parallelism, salt, hash }: PasswordHash): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${bare(salt)}$${bare(hash)}`
}

/** @returns `null` for any other text: another algorithm, another version, a damaged record */
export function readPhc(text: string): PasswordHash | null {
  const [, memory, time, lanes, salt, hash] = PHC.exec(text) ?? []
  if (salt === undefined || hash === undefined) return null
  const found = { memoryKib: Number(memory), passes: Number(time), parallelism: Number(lanes) }
  if (found.passes < 1 || found.parallelism < 1 || found.memoryKib < 8 * found.parallelism) return null
  return { ...found, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

function bare(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
