/** Opens users from the options: where they are loaded from, and who checks their passwords. */
import type { FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { Transaction } from 'svc-stores/table'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import type { UserAccountsParts } from './account.ts'
import { EntityUsers } from './entity-users.ts'
import { openPasswords } from './open-passwords.ts'
import type { PasswordVerifier } from './passwords.ts'
import { UserEndings } from './user-endings.ts'
import { ProvidedUsers, StoredUsers, type UserSource } from './user-source.ts'
import { userStore } from './user-store.ts'

export interface UsersSetting {
  readonly config: Pick<SecurityConfig, 'users' | 'passwords'>
  readonly parts: SvcSecurityParts
  readonly clock: Clock
}

export interface OpenUsers extends Pick<UserAccountsParts, 'driver' | 'store' | 'storeWithin'> {
  readonly users: UserSource
  readonly passwords: PasswordVerifier
  /** What a change of the password, a lock or a deletion ends; each kind of credential adds its own. */
  readonly endings: UserEndings
}

export async function openUsers(fastify: FastifyInstance, setting: UsersSetting): Promise<OpenUsers> {
  const { config, parts } = setting
  const { store: configured, entity } = config.users
  const own = parts.users ?? (entity === undefined ? undefined : new EntityUsers(fastify, entity))
  const { driver, store } =
    own === undefined
      ? fastify.stores.select(userStore, configured, parts.stores?.user)
      : { driver: 'application', store: null }
  const users = own === undefined ? new StoredUsers(store) : new ProvidedUsers(own, fastify)
  const passwords = await openPasswords(fastify, users, setting)
  const storeWithin = (tx: Transaction) => fastify.stores.within(userStore, tx)
  return { driver, store, storeWithin, users, passwords, endings: new UserEndings() }
}
