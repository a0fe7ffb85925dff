/**
 * `svc user:create`: a user in the store that the application keeps users in. The
 * application boots, but opens no port. Where the user would be gone when the command ends, it refuses.
 */
import { nearestName } from 'svc-kernel/plugin'
import { type AccountsView, accountsOf } from '../application/accounts-view.ts'
import { inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print } from '../output.ts'
import { type PasswordOptions, readPassword, settingPassword } from './read-password.ts'

export interface CreateUserOptions extends AppOptions, PasswordOptions {
  /** One of each `--role`. */
  role: readonly string[]
}

const MORE = 'npx svc docs managing-users'

/**
 * @throws CommandError SVC_USER_NAME, SVC_USER_ROLE (2), SVC_USER_NO_ACCOUNTS, SVC_USER_VOLATILE,
 * SVC_USER_FOREIGN, SVC_USER_PASSWORD, SVC_USER_EXISTS
 */
export async function createUser(identifier: string, options: CreateUserOptions): Promise<void> {
  checkName(identifier)
  for (const role of options.role) checkRole(role)
  const command = `svc user:create ${identifier}`
  await inspectApp(options, command, async ({ register }) => {
    const fastify = await register()
    await fastify.ready()
    const accounts = durable(accountsOf(fastify))
    const password = await readPassword(options)
    await create(accounts, { identifier, password, roles: options.role })
  })
  const roles = options.role.length === 0 ? 'without a role' : `with ${options.role.join(', ')}`
  print(`created user ${identifier} ${roles}`)
}

async function create(accounts: AccountsView, account: Parameters<AccountsView['create']>[0]): Promise<void> {
  try {
    await settingPassword(accounts.create(account))
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'SVC_STORE_DUPLICATE') throw error
    const message = `the user ${account.identifier} exists already`
    throw new CommandError({ code: 'SVC_USER_EXISTS', message, fix: 'choose another identifier' })
  }
}

/** @throws CommandError SVC_USER_NO_ACCOUNTS, SVC_USER_VOLATILE, SVC_USER_FOREIGN */
export function durable(accounts: AccountsView | null): AccountsView {
  if (accounts === null || accounts.driver === null) {
    throw new CommandError({
      code: 'SVC_USER_NO_ACCOUNTS',
      message: 'this application keeps no users',
      fix: "list 'session' in a zone of svc-security (svc.config.ts), or set users: {}",
      more: MORE
    })
  }
  if (accounts.driver === 'memory') {
    throw new CommandError({
      code: 'SVC_USER_VOLATILE',
      message: 'users are kept in memory: this user would be lost when the command ends',
      at: 'svc-security.users.store',
      fix: 'npx svc module:add sql, or manage users in parts.users (hashPassword creates their hashes)',
      more: MORE
    })
  }
  if (accounts.driver === 'application') {
    throw new CommandError({
      code: 'SVC_USER_FOREIGN',
      message: 'your application manages its users itself; this command cannot write them',
      at: 'svc-security.parts.users, or svc-security.users.entity',
      fix: 'create the user there; hashPassword of svc-security creates the hash',
      more: MORE
    })
  }
  return accounts
}

/** @throws CommandError SVC_USER_NAME (2) */
export function checkName(identifier: string): void {
  if (identifier.trim() === identifier && identifier !== '' && identifier.length <= 256) return
  throw new CommandError(
    {
      code: 'SVC_USER_NAME',
      message: 'the identifier is not valid',
      got: JSON.stringify(identifier),
      expected: '1 to 256 characters, without a blank at either end',
      fix: `npx svc user:create ${identifier.trim().slice(0, 256) || 'ada'}`
    },
    2
  )
}

/** @throws CommandError SVC_USER_ROLE (2) */
export function checkRole(role: string): void {
  if (/^ROLE_[A-Z0-9_]+$/.test(role)) return
  const upper = role.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
  const meant = upper.startsWith('ROLE_')
    ? upper
    : `ROLE_${nearestName(upper, ['ADMIN', 'USER', 'SVC_ADMIN']) ?? upper}`
  throw new CommandError(
    {
      code: 'SVC_USER_ROLE',
      message: `"${role}" is not a role (did you mean ${meant}?)`,
      expected: 'ROLE_ and capital letters',
      fix: `--role ${meant}`
    },
    2
  )
}
