/**
 * Hashes of bcrypt, `$2a$`, `$2b$` and `$2y$`: they differ in faults of old programs that made them, and are computed the same.
 * Bytes of a password beyond 72 do not count, as everywhere. The package that computes it is an optional peer, and works on the
 * thread pool.
 */
import { optionalPackage } from 'svc-kernel/plugin'

const FORM = /^\$2[aby]\$(\d{2})\$[./A-Za-z0-9]{53}$/

/** 2^16 rounds take some four seconds. */
const [MIN_COST, MAX_COST] = [4, 16]

interface Bcrypt {
  verify(password: string, hash: string): Promise<boolean>
}

/** @throws BootError SVC_NOT_INSTALLED */
export function readBcrypt(text: string): ((plain: string) => Promise<boolean>) | null {
  const cost = Number(FORM.exec(text)?.[1])
  if (!(cost >= MIN_COST && cost <= MAX_COST)) return null
  const bcrypt = optionalPackage<Bcrypt>('@node-rs/bcrypt', import.meta.url, {
    what: 'a password hash of bcrypt',
    at: 'the hash of a user'
  })
  return (plain) => bcrypt.verify(plain, text)
}
