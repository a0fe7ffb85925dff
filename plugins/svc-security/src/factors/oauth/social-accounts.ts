/** Accounts at providers, linked to users: of the `user` store, or of the application's own users. */
import type { FastifyInstance } from 'fastify'
import { guardedStore, orUnavailable } from '../../stores/guarded-store.ts'
import { type LoadedUser, readUser } from '../../users/user-source.ts'
import type { UserStore } from '../../users/user-store.ts'

/** What `parts.users` needs for logins at providers; the `user` store has it. */
export interface SocialAccountProvider {
  findBySocialAccount(provider: string, subject: string, container: FastifyInstance): unknown
  /** Must refuse an account that is another user's, by throwing or by `false`. */
  linkSocialAccount(id: string, provider: string, subject: string, container: FastifyInstance): Promise<boolean>
}

const LINKS = { operations: ['findBySocialAccount', 'linkSocialAccount'] }

/** Which user an account of a provider belongs to: of the `user` store, or of the application's own users. */
export class SocialAccounts {
  readonly #links: SocialAccountProvider
  readonly #container: FastifyInstance

  /** @param links `null` where the store is disabled: who needs it is answered 503 */
  constructor(
    links: Pick<UserStore, keyof SocialAccountProvider> | SocialAccountProvider | null,
    container: FastifyInstance
  ) {
    this.#links = guardedStore(LINKS, links as SocialAccountProvider | null)
    this.#container = container
  }

  async find(provider: string, subject: string): Promise<LoadedUser | null> {
    return orUnavailable(async () =>
      readUser(await this.#links.findBySocialAccount(provider, subject, this.#container))
    )
  }

  /** @returns `false` when the user is gone */
  async link({ id }: Pick<LoadedUser, 'id'>, provider: string, subject: string): Promise<boolean> {
    return (await this.#links.linkSocialAccount(id, provider, subject, this.#container)) === true
  }
}
