/** Which user an account of a provider belongs to: of the `user` brick, or of the application's own users. */
import type { UserStore } from 'svc-stores'
import { AuthenticationUnavailable } from '../../errors.ts'
import { readUser } from '../../users/read-user.ts'
import type { LoadedUser } from '../../users/user-source.ts'

/** What `parts.users` needs for logins at providers; the `user` brick has it. */
export interface GivenSocialAccounts {
  findBySocialAccount(provider: string, subject: string): unknown
  /** Must refuse an account that is another user's, by throwing or by `false`. */
  linkSocialAccount(id: string, provider: string, subject: string): Promise<boolean>
}

export class SocialAccounts {
  readonly #given: GivenSocialAccounts | null

  /** @param given `null` where the brick is disabled: whoever needs it is answered 503 */
  constructor(given: Pick<UserStore, keyof GivenSocialAccounts> | GivenSocialAccounts | null) {
    this.#given = given
  }

  async find(provider: string, subject: string): Promise<LoadedUser | null> {
    return readUser(await this.#accounts.findBySocialAccount(provider, subject))
  }

  /** @returns `false` when the user is gone */
  async link({ id }: Pick<LoadedUser, 'id'>, provider: string, subject: string): Promise<boolean> {
    return (await this.#accounts.linkSocialAccount(id, provider, subject)) === true
  }

  get #accounts(): GivenSocialAccounts {
    if (this.#given === null) throw new AuthenticationUnavailable()
    return this.#given
  }
}
