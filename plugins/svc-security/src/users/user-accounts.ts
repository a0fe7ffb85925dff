/**
 * Makes users where this plugin keeps them: `fastify.userAccounts`. For commands and
 * set-up code; it is no route. Where the application loads users itself, it makes them itself, too.
 */
import type { UserStore } from 'svc-stores'
import { AuthenticationUnavailable } from '../errors.ts'
import { hashPassword } from '../passwords/hash-password.ts'
import type { PasswordCost } from '../passwords/password-cost.ts'
import { loginName } from './login-name.ts'

export interface NewAccount {
  readonly identifier: string
  readonly password: string
  readonly roles: readonly string[]
}

export class UserAccounts {
  /** Where users are kept: `memory`, a driver's name, `parts` for a ready store, `application` for `parts.users`; `null` nowhere. */
  readonly driver: string | null
  readonly #store: Pick<UserStore, 'create'> | null
  readonly #cost: PasswordCost

  constructor(driver: string | null, store: Pick<UserStore, 'create'> | null, cost: PasswordCost) {
    this.driver = driver
    this.#store = store
    this.#cost = cost
  }

  /**
   * @returns the id that the store gave
   * @throws DuplicateRecord (SVC_STORE_DUPLICATE) when the identifier is taken, InvalidPassword (SVC_SEC_PASSWORD),
   * AuthenticationUnavailable where no store of ours keeps users
   */
  async create({ identifier, password, roles }: NewAccount): Promise<string> {
    if (this.#store === null) throw new AuthenticationUnavailable()
    const hashed = await hashPassword(password, this.#cost)
    const { id } = await this.#store.create({ identifier: loginName(identifier), password: hashed, roles })
    return id
  }
}
