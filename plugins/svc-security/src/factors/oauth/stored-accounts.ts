/** Accounts at providers of the `user` store: made, linked and unlinked, each in one step of the store. */

import type { UserRecord, UserStore } from '../../users/user-store.ts'
import { LastWayIn, LinkNotFound } from '../errors.ts'
import type { ProviderAccount } from './account-rule.ts'
import type { LinkedAccount, SocialAccountProvider } from './social-accounts.ts'

/** Changes of a user that come in between and are looked at again. */
const MOST_ATTEMPTS = 20

export class StoredAccounts implements SocialAccountProvider {
  readonly #store: UserStore
  readonly #hasPasskey: (id: string) => Promise<boolean>

  /** @param hasPasskey a user may log in with */
  constructor(store: UserStore, hasPasskey: (id: string) => Promise<boolean>) {
    this.#store = store
    this.#hasPasskey = hasPasskey
  }

  findBySocialAccount(provider: string, subject: string): Promise<UserRecord | null> {
    return this.#store.findBySocialAccount(provider, subject)
  }

  linkSocialAccount(id: string, provider: string, subject: string): Promise<boolean> {
    return this.#store.linkSocialAccount(id, provider, subject)
  }

  createWithSocialAccount({ identifier, roles }: ProviderAccount, provider: string, subject: string) {
    return this.#store.create({ identifier, roles, socialAccounts: [{ provider, subject }] })
  }

  async socialAccountsOf(id: string): Promise<readonly LinkedAccount[]> {
    return (await this.#store.find(id))?.socialAccounts ?? []
  }

  /** Also where it is the last way in. */
  async takeBack(id: string, provider: string, subject: string): Promise<void> {
    await this.#store.unlinkSocialAccount(id, provider, subject)
  }

  /** Of two accounts that are unlinked at once, the second sees that the first is gone. */
  async unlinkSocialAccount(id: string, provider: string): Promise<void> {
    let unlinked = false
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const user = await this.#store.find(id)
      const [own = null] = user?.socialAccounts.filter((account) => account.provider === provider) ?? []
      if (user === null || own === null) {
        if (unlinked) return
        throw new LinkNotFound()
      }
      if (!(await this.#hasAnotherWay(user, provider))) throw new LastWayIn()
      unlinked = (await this.#store.unlinkSocialAccount(id, provider, own.subject, user.updatedAt)) || unlinked
    }
    throw new LastWayIn()
  }

  async #hasAnotherWay({ id, password, socialAccounts }: UserRecord, provider: string): Promise<boolean> {
    if (password !== null || socialAccounts.some((account) => account.provider !== provider)) return true
    return this.#hasPasskey(id)
  }
}
