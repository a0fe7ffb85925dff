/** Makes the stored form of a password. */
import { randomBytes } from 'node:crypto'
import { InvalidPassword } from '../errors.ts'
import { deriveKey } from './derive-key.ts'
import { DEFAULT_COST, type PasswordCost } from './password-cost.ts'
import { MAX_PASSWORD_LENGTH, passwordText } from './password-text.ts'
import { writePhc } from './phc-string.ts'

const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Hashes a password with argon2id and a fresh salt.
 *
 * @param cost KiB of memory, passes, lanes; 19456, 2 and 1 unless told
 * @returns a PHC string, what the `password` of a user record holds
 * @throws InvalidPassword (SVC_SEC_PASSWORD) for an empty one or one of more than 1024 characters
 */
export async function hashPassword(plain: string, cost: PasswordCost = DEFAULT_COST): Promise<string> {
  if (typeof plain !== 'string' || plain === '') throw new InvalidPassword('is empty')
  if (plain.length > MAX_PASSWORD_LENGTH) throw new InvalidPassword(`has more than ${MAX_PASSWORD_LENGTH} characters`)
  const salt = randomBytes(SALT_BYTES)
  return writePhc({ ...cost, salt, hash: await deriveKey(passwordText(plain), salt, cost, HASH_BYTES) })
}
