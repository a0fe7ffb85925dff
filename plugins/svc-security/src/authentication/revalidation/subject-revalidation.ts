/**
 * A WebSocket whose authenticator has no `liveness`: its subject must still be a user who may act, nothing issued to it up
 * to then be revoked, and `expiresAt` of its token not be over. What the authenticator would prove now cannot be asked, so
 * the roles that the user has lost since the handshake are taken away; where all of them were the user's, they are the user's now.
 */
import type { AccessToken } from 'svc-kernel'
import { withTraits } from 'svc-kernel/plugin'
import { orUnavailable } from '../../stores/guarded-store.ts'
import type { TokenService } from '../../tokens/token-service.ts'
import { isUsable, type LoadedUser, type UserSource } from '../../users/user-source.ts'
import { expiryOf, type Revalidation } from './revalidation.ts'

export interface SubjectSources {
  readonly users: UserSource
  readonly tokens: Pick<TokenService, 'revokedUntil' | 'whenRevoked'>
  /** Called when the subject is no user of the application. */
  readonly stranger: () => void
}

export class SubjectRevalidation implements Revalidation {
  #token: AccessToken
  readonly #since: number
  readonly #sources: SubjectSources
  /** Roles of the user at the last look; `null` before the first. */
  #before: readonly string[] | null = null
  #known = false

  /** @param now epoch ms of the handshake */
  constructor(token: AccessToken, now: number, sources: SubjectSources) {
    this.#token = token
    this.#since = typeof token.issuedAt === 'number' ? token.issuedAt : now
    this.#sources = sources
  }

  endsAt(): number | null {
    return expiryOf(this.#token)
  }

  async check(): Promise<boolean | AccessToken> {
    const { users, tokens, stranger } = this.#sources
    const name = this.#token.getUserIdentifier()
    const user = await orUnavailable(() => users.findByIdentifier(name))
    if (user === null && !this.#known) stranger()
    this.#known = true
    if (user === null || !isUsable(user) || (await tokens.revokedUntil(this.#token, this.#since))) return false
    this.#token = this.#renewed(user)
    return this.#token
  }

  /** Looks at once, so that a role that is lost a moment after the handshake is seen as lost. */
  watch(end: () => void): () => void {
    const { users, tokens } = this.#sources
    const look = async () => users.findByIdentifier(this.#token.getUserIdentifier())
    look().then(
      (user) => {
        this.#before ??= user?.roles ?? null
      },
      // The first check asks again.
      () => undefined
    )
    return tokens.whenRevoked(this.#token, end)
  }

  #renewed(user: LoadedUser): AccessToken {
    const { roles } = user
    const [held, before] = [this.#token.user.roles, this.#before ?? roles]
    this.#before = roles
    if (same(held, before)) return withTraits(this.#token, { user: user.identity ?? user })
    const lost = new Set(before.filter((role) => !roles.includes(role)))
    if (lost.size === 0) return this.#token
    const { identifier } = this.#token.user
    return withTraits(this.#token, { user: { identifier, roles: held.filter((role) => !lost.has(role)) } })
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((role) => b.includes(role))
}
