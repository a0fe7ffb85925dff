/** Users of the application's own: any object with `findByIdentifier` under `parts.users`. */
import { readUser } from './read-user.ts'
import type { LoadedUser, UserSource } from './user-source.ts'

/** What an application hands in; the record may be as plain as `{ identifier, roles }`. */
export interface GivenUsers {
  findByIdentifier(identifier: string): unknown
  /** Needed for passkeys where the records carry an `id` that is not the identifier. */
  findById?(id: string): unknown
  /** Compare-and-set of a stored password hash; lets a login replace a hash of an older cost. */
  replacePassword?(id: string, expected: string | null, next: string): Promise<boolean>
}

export class PartUserSource implements UserSource {
  readonly #users: GivenUsers

  constructor(users: GivenUsers) {
    this.#users = users
  }

  async findByIdentifier(identifier: string): Promise<LoadedUser | null> {
    const user = readUser(await this.#users.findByIdentifier(identifier))
    // A case-insensitive look-up would give one person several names, each with a throttle of its own.
    return user?.identifier === identifier ? user : null
  }

  async findById(id: string): Promise<LoadedUser | null> {
    const users = this.#users
    const user = readUser(await (users.findById === undefined ? users.findByIdentifier(id) : users.findById(id)))
    return user?.id === id ? user : null
  }

  async replacePassword({ id, passwordHash }: LoadedUser, next: string): Promise<boolean> {
    return (await this.#users.replacePassword?.(id, passwordHash, next)) ?? false
  }
}
