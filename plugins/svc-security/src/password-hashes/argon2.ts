/**
 * Hashes of argon2i and argon2d, PHC strings of version 19, as other systems made them. Argon2id of theirs is read as svc's own,
 * and so with a password in Unicode form NFC; these two take it as it came.
 */
import { timingSafeEqual } from 'node:crypto'
import { argon2 } from './argon2id.ts'

const PHC =
  /^\$(argon2i|argon2d)\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

const MAX_MEMORY_KIB = 1_048_576

export function readArgon2(text: string): ((plain: string) => Promise<boolean>) | null {
  const [, kind, m, t, p, salt = '', key = ''] = PHC.exec(text) ?? []
  if (kind === undefined) return null
  const cost = { memoryKib: Number(m), passes: Number(t), parallelism: Number(p) }
  if (cost.passes < 1 || cost.parallelism < 1 || cost.memoryKib < 8 * cost.parallelism) return null
  if (cost.memoryKib > MAX_MEMORY_KIB) return null
  const hash = Buffer.from(key, 'base64')
  const parameters = { ...cost, salt: Buffer.from(salt, 'base64'), bytes: hash.length }
  return async (plain) => timingSafeEqual(await argon2(kind as 'argon2i' | 'argon2d', plain, parameters), hash)
}
