/** What the commands read of svc-security about users: `fastify.userAccounts`, where the application keeps accounts. */
import type { FastifyInstance } from 'fastify'
import { decoratorOf } from 'svc-kernel'

export interface UserView {
  readonly identifier: string
  readonly roles: readonly string[]
  readonly enabled: boolean
  readonly locked: boolean
}

export interface AccountsView {
  /** `memory`, a driver's name, `parts` for a ready store, `application` where it loads users itself; `null` nowhere. */
  readonly driver: string | null
  /** As a login loads them. @returns `null` without such a user */
  find(identifier: string): Promise<UserView | null>
  /** @returns the id of the new user */
  create(account: { identifier: string; password: string; roles: readonly string[] }): Promise<string>
  list(
    filter: { readonly role?: string; readonly q?: string },
    page: { readonly limit: number; readonly offset: number }
  ): Promise<{ readonly items: readonly UserView[]; readonly hasNext: boolean }>
  /** Both: `false` without such a user. */
  setRoles(identifier: string, roles: readonly string[]): Promise<boolean>
  setPassword(identifier: string, password: string): Promise<boolean>
}

export function accountsOf(fastify: FastifyInstance): AccountsView | null {
  return decoratorOf(fastify as unknown as { userAccounts: AccountsView }, 'userAccounts')
}
