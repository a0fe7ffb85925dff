/** Users of the `user` brick. Without a store every look-up says "not able now": nobody is let in, nobody is unknown. */
import type { UserStore } from 'svc-stores'
import { AuthenticationUnavailable } from '../errors.ts'
import { readUser } from './read-user.ts'
import type { LoadedUser, UserSource } from './user-source.ts'

export class StoreUserSource implements UserSource {
  readonly #store: Pick<UserStore, 'find' | 'findByIdentifier' | 'replacePassword'> | null

  /** @param store `null` where the brick is disabled */
  constructor(store: Pick<UserStore, 'find' | 'findByIdentifier' | 'replacePassword'> | null) {
    this.#store = store
  }

  async findByIdentifier(identifier: string): Promise<LoadedUser | null> {
    if (this.#store === null) throw new AuthenticationUnavailable()
    return readUser(await this.#store.findByIdentifier(identifier))
  }

  async findById(id: string): Promise<LoadedUser | null> {
    if (this.#store === null) throw new AuthenticationUnavailable()
    return readUser(await this.#store.find(id))
  }

  async replacePassword({ id, passwordHash }: LoadedUser, next: string): Promise<boolean> {
    return (await this.#store?.replacePassword(id, passwordHash, next)) ?? false
  }
}
