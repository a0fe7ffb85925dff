/** What the commands read of svc-security about users: `fastify.userAccounts`, where the application keeps accounts. */
import type { FastifyInstance } from 'fastify'

export interface UserView {
  readonly identifier: string
  readonly roles: readonly string[]
  readonly enabled: boolean
  readonly locked: boolean
}

export interface AccountsView {
  /** `memory`, a driver's name, `parts` for a ready store, `application` where it loads users itself; `null` nowhere. */
  readonly driver: string | null
  /** As a login loads them. @returns `null` for nobody */
  find(identifier: string): Promise<UserView | null>
  /** @returns the id of the new user */
  create(account: { identifier: string; password: string; roles: readonly string[] }): Promise<string>
}

export function accountsOf(fastify: FastifyInstance): AccountsView | null {
  if (!fastify.hasDecorator('userAccounts')) return null
  return (fastify as unknown as { userAccounts: AccountsView }).userAccounts
}
