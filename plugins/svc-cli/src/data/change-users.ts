/**
 * `svc user:list`, `user:roles` and `user:reset`: users in the store that the application keeps them in, as
 * `user:create` made them. The application boots, but opens no port; every change goes to the audit journal.
 */
import type { FastifyInstance } from 'fastify'
import { type AccountsView, accountsOf, type UserView } from '../application/accounts-view.ts'
import { inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson, textTable } from '../output.ts'
import { checkRole, durable } from './create-user.ts'
import { type PasswordOptions, readPassword, settingPassword } from './read-password.ts'

const PAGE = 200

export interface ListUsersOptions extends AppOptions {
  role?: string
  json?: true
}

/** @throws CommandError as `user:create` */
export async function listUsers(options: ListUsersOptions): Promise<void> {
  if (options.role !== undefined) checkRole(options.role)
  const filter = options.role === undefined ? {} : { role: options.role }
  const users = await withAccounts(options, 'user:list', async (accounts) => {
    const found: UserView[] = []
    for (let more = true; more; ) {
      const page = await accounts.list(filter, { limit: PAGE, offset: found.length })
      found.push(...page.items)
      more = page.hasNext && page.items.length > 0
    }
    return found
  })
  if (options.json === true) printJson(users.map(shown))
  else if (users.length === 0) print('no users')
  else print(textTable(['USER', 'ROLES', 'STATE'], users.map(cells)))
}

export interface SetRolesOptions extends AppOptions {
  /** One of each `--role`; none takes all away. */
  role: readonly string[]
}

/** @throws CommandError SVC_USER_ROLE (2), SVC_USER_UNKNOWN, and as `user:create` */
export async function setUserRoles(identifier: string, options: SetRolesOptions): Promise<void> {
  for (const role of options.role) checkRole(role)
  await withAccounts(options, `user:roles ${identifier}`, async (accounts) => {
    if (!(await accounts.setRoles(identifier, options.role))) throw unknown(identifier)
  })
  print(
    `${identifier} has ${options.role.length === 0 ? 'no role' : options.role.join(', ')}, from the next request on`
  )
}

/** A new password; everything that let the user in ends. @throws CommandError SVC_USER_PASSWORD, SVC_USER_UNKNOWN, and as `user:create` */
export async function resetUser(identifier: string, options: AppOptions & PasswordOptions): Promise<void> {
  await withAccounts(options, `user:reset ${identifier}`, async (accounts) => {
    if ((await accounts.find(identifier)) === null) throw unknown(identifier)
    await settingPassword(accounts.setPassword(identifier, await readPassword(options)))
  })
  print(`${identifier} has a new password; all earlier sessions, tokens and API keys ended`)
}

function withAccounts<Result>(
  options: AppOptions,
  command: string,
  work: (accounts: AccountsView, fastify: FastifyInstance) => Promise<Result>
): Promise<Result> {
  return inspectApp(options, `svc ${command}`, async ({ register }) => {
    const fastify = await register()
    await fastify.ready()
    return work(durable(accountsOf(fastify)), fastify)
  })
}

function shown({ identifier, roles, enabled, locked }: UserView): UserView {
  return { identifier, roles, enabled, locked }
}

function cells({ identifier, roles, enabled, locked }: UserView): string[] {
  return [identifier, roles.join(', ') || '-', enabled ? (locked ? 'locked' : 'active') : 'disabled']
}

function unknown(identifier: string): CommandError {
  return new CommandError({
    code: 'SVC_USER_UNKNOWN',
    message: `there is no user ${identifier}`,
    got: identifier,
    fix: 'npx svc user:list shows them; npx svc user:create adds one'
  })
}
