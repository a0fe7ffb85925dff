/**
 * Argon2id (RFC 9106): how svc hashes passwords, stored as `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. What is stored decides
 * the work of a login, so its figures are bounded.
 */
// The module object is used, so that a Node without argon2 still loads this file.
import crypto, { randomBytes } from 'node:crypto'
import { InvalidPassword, PasswordsUnsupported } from '../errors.ts'

export interface PasswordCost {
  /** KiB of memory. */
  readonly memoryKib: number
  readonly passes: number
  readonly parallelism: number
}

export interface PasswordHash extends PasswordCost {
  readonly salt: Buffer
  readonly hash: Buffer
}

export const DEFAULT_COST: PasswordCost = Object.freeze({ memoryKib: 19456, passes: 2, parallelism: 1 })

/** Longer passwords are refused unhashed. */
export const MAX_PASSWORD_LENGTH = 1024

const SALT_BYTES = 16
const HASH_BYTES = 32

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

/**
 * Hashes a password with argon2id and a fresh salt.
 *
 * @param cost KiB of memory, passes, lanes; 19456, 2 and 1 by default
 * @returns a PHC string, what the `password` of a user record holds
 * @throws InvalidPassword (SVC_SEC_PASSWORD) for an empty one or one of more than 1024 characters
 */
export async function hashPassword(plain: string, cost: PasswordCost = DEFAULT_COST): Promise<string> {
  if (typeof plain !== 'string' || plain === '') throw new InvalidPassword('is empty')
  if (plain.length > MAX_PASSWORD_LENGTH) throw new InvalidPassword(`has more than ${MAX_PASSWORD_LENGTH} characters`)
  const salt = randomBytes(SALT_BYTES)
  return writePhc({ ...cost, salt, hash: await deriveKey(plain, salt, cost, HASH_BYTES) })
}

/** The stored form (PHC string format). */
export function writePhc({ memoryKib, passes, parallelism, salt, hash }: PasswordHash): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/** @returns `null` for any other text: another algorithm, another version, a damaged record */
export function readPhc(text: string): PasswordHash | null {
  const [, memory, time, lanes, salt, hash] = PHC.exec(text) ?? []
  if (salt === undefined || hash === undefined) return null
  const found = { memoryKib: Number(memory), passes: Number(time), parallelism: Number(lanes) }
  if (found.passes < 1 || found.parallelism < 1 || found.memoryKib < 8 * found.parallelism) return null
  return { ...found, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

/** Argon2id of a password as it is hashed here, on Node's thread pool. */
export function deriveKey(plain: string, salt: Buffer, cost: PasswordCost, bytes: number): Promise<Buffer> {
  return argon2('argon2id', passwordText(plain), { ...cost, salt, bytes })
}

/** Any kind of argon2, version 19, on Node's thread pool. */
export function argon2(
  kind: 'argon2id' | 'argon2i' | 'argon2d',
  message: string,
  {
    memoryKib: memory,
    passes,
    parallelism,
    salt,
    bytes
  }: PasswordCost & { readonly salt: Buffer; readonly bytes: number }
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (typeof crypto.argon2 !== 'function') throw new PasswordsUnsupported()
    const parameters = {
      message: Buffer.from(message, 'utf8'),
      nonce: salt,
      parallelism,
      tagLength: bytes,
      memory,
      passes
    }
    crypto.argon2(kind, parameters, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

/** True when a hash of cost `stored` is to be made again at the next login. */
export function isWeaker(stored: PasswordCost, wanted: PasswordCost): boolean {
  return stored.memoryKib < wanted.memoryKib || stored.passes < wanted.passes
}

/**
 * A password as it is hashed (RFC 8265, OpaqueString): every blank is a plain one, and the same letters are the same
 * bytes on every keyboard. No case mapping, no trimming.
 */
function passwordText(given: string): string {
  return given.replace(/\p{Zs}/gu, ' ').normalize('NFC')
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
