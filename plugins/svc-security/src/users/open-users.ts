/** Opens users from the options: where they are loaded from, who checks their passwords, `fastify.userAccounts`. */
import type { FastifyInstance } from 'fastify'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import { PasswordVerifier } from './passwords.ts'
import { UserAccounts } from './user-accounts.ts'
import { ProvidedUsers, StoredUsers, type UserSource } from './user-source.ts'
import { userStore } from './user-store.ts'

export interface UsersSetting {
  readonly config: Pick<SecurityConfig, 'users' | 'passwords'>
  readonly parts: SvcSecurityParts
  readonly journal: SecurityJournal
}

export interface OpenUsers {
  readonly users: UserSource
  readonly passwords: PasswordVerifier
}

/** Decorates `fastify.userAccounts`. */
export function openUsers(fastify: FastifyInstance, { config, parts, journal }: UsersSetting): OpenUsers {
  const { memoryKib, passes, parallelism, maxConcurrent: atOnce, maxQueue: maxWaiting } = config.passwords
  const cost = { memoryKib, passes, parallelism }
  const own = parts.users
  const { driver, store } =
    own === undefined
      ? fastify.stores.select(userStore, config.users.store, parts.stores?.user)
      : { driver: 'application', store: null }
  const users = own === undefined ? new StoredUsers(store) : new ProvidedUsers(own)
  fastify.decorate('userAccounts', new UserAccounts({ driver, store, source: users, cost, journal }))
  return { users, passwords: new PasswordVerifier(users, { cost, atOnce, maxWaiting }, fastify.log) }
}
