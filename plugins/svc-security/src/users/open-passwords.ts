/** Opens passwords from the options: the rules for new ones, the queue of hashes, and what a failed login is compared with. */
import type { FastifyInstance } from 'fastify'
import { appHost, BootError, type Clock, type Problem } from 'svc-kernel'
import { dataPath } from 'svc-kernel/plugin'
import { readableError } from '../journal/audit-writer.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import { readStoredHash, type StoredHash } from '../password-hashes/stored-hash.ts'
import { type BreachedList, breachedRange, openBreachedList } from './breached-passwords.ts'
import { contextWords } from './context-words.ts'
import { PasswordVerifier } from './passwords.ts'
import type { UserSource } from './user-source.ts'

export interface PasswordsSetting {
  readonly config: Pick<SecurityConfig, 'passwords'>
  readonly parts: Pick<SvcSecurityParts, 'passwords'>
  readonly clock: Clock
}

/** @throws BootError SVC_SEC_BREACHED_LIST, SVC_SEC_DECOY_HASH, SVC_NOT_INSTALLED for a decoy of bcrypt */
export async function openPasswords(
  fastify: FastifyInstance,
  users: UserSource,
  { config, parts, clock }: PasswordsSetting
): Promise<PasswordVerifier> {
  const { memoryKib, passes, parallelism, minLength, maxConcurrent: atOnce, maxQueue: maxWaiting } = config.passwords
  const cost = { memoryKib, passes, parallelism }
  const { check, breachedRange: range } = parts.passwords ?? {}
  const problems: Problem[] = []
  const breached = await openBreached(fastify, config.passwords.breached, problems)
  const decoy = readDecoy(config.passwords.decoyHash, problems)
  if (problems.length > 0) throw new BootError(problems)
  if (range !== undefined) breached.push(breachedRange(range))
  const words = contextWords([appHost(fastify).name, ...config.passwords.contextWords])
  const rules = { minLength, words, breached, check, clock }
  const passwords = new PasswordVerifier(users, { cost, rules, decoy, atOnce, maxWaiting }, fastify.log)
  fastify.queueDepths.add('passwords', () => passwords.waiting)
  return passwords
}

async function openBreached(
  fastify: FastifyInstance,
  given: string | undefined,
  problems: Problem[]
): Promise<BreachedList[]> {
  if (given === undefined) return []
  const path = dataPath(fastify, given)
  try {
    return [await openBreachedList(path)]
  } catch (error) {
    const { code, message } = readableError(error)
    problems.push({
      code: 'SVC_SEC_BREACHED_LIST',
      message: `the list of breached passwords cannot be read: ${message}`,
      at: 'svc-security.passwords.breached',
      got: code === 'ENOENT' ? `no such file: ${path}` : path,
      expected: 'a file of lines SHA1:COUNT in the order of the hashes, or a folder of ranges 00000.txt to FFFFF.txt',
      fix: 'download the list again, or correct the path',
      more: 'npx svc docs managing-users'
    })
    return []
  }
}

function readDecoy(given: string | undefined, problems: Problem[]): StoredHash | null {
  const decoy = given === undefined ? null : readStoredHash(given)
  if (given !== undefined && decoy === null) {
    problems.push({
      code: 'SVC_SEC_DECOY_HASH',
      message: 'passwords.decoyHash is no hash of a known form',
      at: 'svc-security.passwords.decoyHash',
      expected: 'a hash of bcrypt, scrypt, PBKDF2, phpass or argon2, as your users have it',
      fix: 'hash any password as the other system does, and write the whole hash',
      more: 'npx svc docs managing-users'
    })
  }
  return decoy
}
