/** argon2id on Node's thread pool. The module object is used, so that a Node without it still loads this file. */
import crypto from 'node:crypto'
import { PasswordsUnsupported } from '../errors.ts'
import type { PasswordCost } from './password-cost.ts'

export function deriveKey(plain: string, salt: Buffer, cost: PasswordCost, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (typeof crypto.argon2 !== 'function') throw new PasswordsUnsupported()
    const { memoryKib: memory, passes, parallelism } = cost
    const message = Buffer.from(plain, 'utf8')
    crypto.argon2('argon2id', { message, nonce: salt, parallelism, tagLength: bytes, memory, passes }, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
