/**
 * What is left of any proof while its socket is open: its subject must still be a user who may act, and the time that
 * its token names (`expiresAt`) must not be over. For Basic, and for authenticators that bring no liveness of their own.
 */
import type { AccessToken } from 'svc-kernel'
import { orUnavailable } from '../../stores/guarded-store.ts'
import { isUsable, type UserSource } from '../../users/user-source.ts'
import type { Liveness } from './revalidation.ts'

export class SubjectLiveness implements Liveness {
  readonly #token: AccessToken
  readonly #users: UserSource | null
  readonly #stranger: () => void
  #known = false

  /**
   * @param users `null` where the application keeps no accounts: then only the time of the token counts
   * @param stranger called when the subject turns out to be no user at all
   */
  constructor(token: AccessToken, users: UserSource | null, stranger: () => void) {
    this.#token = token
    this.#users = users
    this.#stranger = stranger
  }

  endsAt(): number | null {
    const { expiresAt } = this.#token
    return typeof expiresAt === 'number' ? expiresAt : null
  }

  async check(): Promise<boolean> {
    const users = this.#users
    if (users === null) return true
    const user = await orUnavailable(() => users.findByIdentifier(this.#token.getUserIdentifier()))
    if (user === null && !this.#known) this.#stranger()
    this.#known = true
    return user !== null && isUsable(user)
  }
}
