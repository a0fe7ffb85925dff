/**
 * A WebSocket that a password opened (HTTP Basic): the user may still act, has the same password, and no second factor that
 * Basic could not ask for. No password is kept for it; it ends at the latest when a session would.
 */
import type { AccessToken } from 'svc-kernel'
import { withTraits } from 'svc-kernel/plugin'
import type { LoginService } from '../../login/login-service.ts'
import { orUnavailable } from '../../stores/guarded-store.ts'
import { isUsable, type UserSource } from '../../users/user-source.ts'
import type { Revalidation } from './revalidation.ts'

export interface PasswordSources {
  readonly users: UserSource
  readonly login: Pick<LoginService, 'requiredFactors'>
  /** The zone takes a password also from users who have a second factor. */
  readonly passwordOnly: boolean
  /** Of a session; 0: without end. */
  readonly absoluteTimeoutS: number
}

export class PasswordRevalidation implements Revalidation {
  readonly #token: AccessToken
  readonly #hash: string | null
  readonly #sources: PasswordSources

  /** @param hash that of the password which opened the socket */
  constructor(token: AccessToken, hash: string | null, sources: PasswordSources) {
    this.#token = token
    this.#hash = hash
    this.#sources = sources
  }

  endsAt(): number | null {
    const { provenAt } = this.#token
    const { absoluteTimeoutS } = this.#sources
    return provenAt === null || absoluteTimeoutS === 0 ? null : provenAt + absoluteTimeoutS * 1000
  }

  async check(): Promise<boolean | AccessToken> {
    const { users, login, passwordOnly } = this.#sources
    const name = this.#token.getUserIdentifier()
    const user = await orUnavailable(() => users.findByIdentifier(name))
    if (user === null || !isUsable(user) || user.passwordHash !== this.#hash) return false
    if (!passwordOnly && (await orUnavailable(() => login.requiredFactors(name))).length > 0) return false
    return withTraits(this.#token, { user: user.identity ?? user })
  }
}
