/**
 * A session behind an open WebSocket: it must still be there, within its bounds, of the same user, who may still act.
 * Before an action any read error invalidates it (spec, `firewall-realtime`); without one, what cannot be asked ends nothing.
 */
import type { FastifyRequest } from 'fastify'
import type { SessionService } from '../../sessions/session-service.ts'
import type { SessionRecord } from '../../sessions/session-store.ts'
import { orUnavailable } from '../../stores/guarded-store.ts'
import { isUsable, type UserSource } from '../../users/user-source.ts'
import type { Liveness } from './revalidation.ts'

export class SessionLiveness implements Liveness {
  readonly #request: FastifyRequest
  readonly #sessions: SessionService
  readonly #users: UserSource
  readonly #ref: string | null
  readonly #user: string | null
  #record: SessionRecord | null

  /** @param record the session that proved the identity at the handshake */
  constructor(request: FastifyRequest, record: SessionRecord | null, sessions: SessionService, users: UserSource) {
    this.#request = request
    this.#sessions = sessions
    this.#users = users
    this.#record = record
    this.#ref = record?.id ?? null
    this.#user = record?.user ?? null
  }

  endsAt(): number | null {
    return this.#record === null ? null : this.#sessions.endOf(this.#record)
  }

  async check(active: boolean): Promise<boolean> {
    const [ref, name] = [this.#ref, this.#user]
    if (ref === null || name === null) return false
    try {
      this.#record = await orUnavailable(() => this.#sessions.again(ref, active, this.#request))
      if (this.#record === null || this.#record.user !== name) return false
      const user = await orUnavailable(() => this.#users.findByIdentifier(name))
      return user !== null && isUsable(user)
    } catch (error) {
      if (active) return false
      throw error
    }
  }

  watch(end: () => void): () => void {
    return this.#sessions.whenOver(this.#ref ?? '', this.#user, end)
  }
}
