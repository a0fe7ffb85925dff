/** Accounts at providers, linked to users: of the `user` store, or of the application's own users. */
import type { FastifyInstance } from 'fastify'
import type { MaybePromise } from 'svc-kernel'
import { AuthenticationUnavailable, UsersElsewhere } from '../../errors.ts'
import { orUnavailable } from '../../stores/guarded-store.ts'
import { type LoadedUser, type ProvidedUser, readUser } from '../../users/user-source.ts'
import type { ProviderAccount, ProviderIdentity } from './account-rule.ts'

/** An account at a provider that is linked to a user. */
export interface LinkedAccount {
  readonly provider: string
  /** Epoch ms. */
  readonly linkedAt: number
}

/** What `parts.users` needs for logins at providers; the `user` store has it. */
export interface SocialAccountProvider {
  findBySocialAccount(provider: string, subject: string, container: FastifyInstance): unknown
  /** Must refuse an account that is another user's, by throwing or by `false`. */
  linkSocialAccount(id: string, provider: string, subject: string, container: FastifyInstance): Promise<boolean>
  /** Needed for `accounts.create`: a user with this account of a provider, in one step. Must throw where the identifier is taken. */
  createWithSocialAccount?(
    account: ProviderAccount,
    provider: string,
    subject: string,
    container: FastifyInstance
  ): MaybePromise<ProvidedUser>
  /** Needed to list one's own accounts. */
  socialAccountsOf?(id: string, container: FastifyInstance): MaybePromise<readonly LinkedAccount[]>
  /** Needed to unlink. Must throw where the user has no such account, or could not log in any more. */
  unlinkSocialAccount?(id: string, provider: string, container: FastifyInstance): Promise<void>
}

/** Of the `user` store: also where it is the last way in. */
interface TakesBack {
  takeBack?(id: string, provider: string, subject: string): Promise<void>
}

/** Which user an account of a provider belongs to. Whatever the users cannot answer is 503; their refusals pass. */
export class SocialAccounts {
  readonly #links: SocialAccountProvider | null
  readonly #container: FastifyInstance

  /** @param links `null` where the store is disabled */
  constructor(links: SocialAccountProvider | null, container: FastifyInstance) {
    this.#links = links
    this.#container = container
  }

  async find({ provider, subject }: ProviderIdentity): Promise<LoadedUser | null> {
    const links = this.#open()
    return orUnavailable(async () => readUser(await links.findBySocialAccount(provider, subject, this.#container)))
  }

  /** @returns `false` when the user is gone */
  async link({ id }: Pick<LoadedUser, 'id'>, { provider, subject }: ProviderIdentity): Promise<boolean> {
    const links = this.#open()
    return orUnavailable(async () => (await links.linkSocialAccount(id, provider, subject, this.#container)) === true)
  }

  /** Undoes a link of a moment ago, with accounts of the application as it unlinks them. */
  async takeBack({ id }: Pick<LoadedUser, 'id'>, { provider, subject }: ProviderIdentity): Promise<void> {
    const links = this.#open() as SocialAccountProvider & TakesBack
    await orUnavailable(
      async () => links.takeBack?.(id, provider, subject) ?? links.unlinkSocialAccount?.(id, provider, this.#container)
    )
  }

  /** @throws what the users throw where the identifier or the account is taken (409) */
  async create(account: ProviderAccount, { provider, subject }: ProviderIdentity): Promise<LoadedUser | null> {
    const links = this.#open()
    if (links.createWithSocialAccount === undefined) throw new UsersElsewhere()
    return orUnavailable(async () =>
      readUser(await links.createWithSocialAccount?.(account, provider, subject, this.#container))
    )
  }

  /** @throws UsersElsewhere (409) where the application keeps the accounts and does not list them */
  async list({ id }: Pick<LoadedUser, 'id'>): Promise<readonly LinkedAccount[]> {
    const links = this.#open()
    if (links.socialAccountsOf === undefined) throw new UsersElsewhere()
    return orUnavailable(async () => links.socialAccountsOf?.(id, this.#container) ?? [])
  }

  /** @throws LinkNotFound (404), LastWayIn, UsersElsewhere (409) */
  async unlink({ id }: Pick<LoadedUser, 'id'>, provider: string): Promise<void> {
    const links = this.#open()
    if (links.unlinkSocialAccount === undefined) throw new UsersElsewhere()
    await orUnavailable(async () => links.unlinkSocialAccount?.(id, provider, this.#container))
  }

  #open(): SocialAccountProvider {
    if (this.#links === null) throw new AuthenticationUnavailable()
    return this.#links
  }
}
