/** The subject of a token, loaded anew each time, so that roles and locks are never stale. */
import { InvalidToken } from '../errors.ts'
import { refusedFor } from '../journal/readable-error.ts'
import { orUnavailable } from '../stores/guarded-store.ts'
import { isUsable, type LoadedUser, type UserSource } from './user-source.ts'

export class Subjects {
  readonly #users: UserSource

  constructor(users: UserSource) {
    this.#users = users
  }

  /** @throws InvalidToken for who is unknown, switched off or locked; AuthenticationUnavailable (503) */
  async load(identifier: string): Promise<LoadedUser> {
    const user = await orUnavailable(() => this.#users.findByIdentifier(identifier))
    if (user === null || user.identifier !== identifier) throw refusedFor(new InvalidToken(), 'unknown_subject')
    if (!isUsable(user)) throw refusedFor(new InvalidToken(), user.enabled ? 'subject_locked' : 'subject_disabled')
    return user
  }
}
