/**
 * Acting as another user, for support: who may, as whom, and for how long. Everything is asked again on each request, so that
 * a lock, another role or the end of the session of either one ends it at once, on every instance.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccessToken, Clock } from 'svc-kernel'
import { createAccessToken } from 'svc-kernel'
import { type Acting, actingOf } from '../acting/acting.ts'
import { RoleHierarchy, rolesGranting } from '../authorization/role-hierarchy.ts'
import { ImpersonationRefused, InvalidSession, UserNotFound } from '../errors.ts'
import { type AuditWriter, printable } from '../journal/audit-writer.ts'
import type { ImpersonationConfig } from '../options.ts'
import type { SessionService } from '../sessions/session-service.ts'
import type { SessionRecord } from '../sessions/session-store.ts'
import { orUnavailable } from '../stores/guarded-store.ts'
import { isUsable, type LoadedUser, type UserSource } from '../users/user-source.ts'

export interface ImpersonationParts {
  /** `undefined` where it is switched off. */
  readonly config: ImpersonationConfig | undefined
  readonly roleHierarchy: Readonly<Record<string, readonly string[]>>
  readonly users: UserSource
  readonly sessions: Pick<SessionService, 'open' | 'resume' | 'held' | 'save'>
  readonly journal: Pick<AuditWriter, 'done'>
  readonly clock: Pick<Clock, 'now'>
}

export interface ImpersonationRequest {
  /** Identifier. */
  readonly user: string
  readonly reason: string
  readonly write: boolean
}

/** What a token takes of a session, whomever it acts as. */
interface TokenOfSession {
  readonly type: string
  readonly [attribute: string]: unknown
}

const MINUTE_MS = 60_000

export class Impersonation {
  readonly #parts: ImpersonationParts
  #hierarchy: RoleHierarchy | null = null

  constructor(parts: ImpersonationParts) {
    this.#parts = parts
  }

  /**
   * The session of a request begins to act as another user, under a new id.
   *
   * @throws InvalidSession (401), UserNotFound (404), ImpersonationRefused (403)
   */
  async begin(request: FastifyRequest, reply: FastifyReply, asked: ImpersonationRequest): Promise<Acting> {
    const { users, clock, config } = this.#parts
    const admin = await this.#ownUser(request)
    const target = await orUnavailable(() => users.findByIdentifier(asked.user))
    if (target === null) throw new UserNotFound()
    const refusal = this.#refusal(admin, target, asked.write)
    if (refusal !== null) throw new ImpersonationRefused(refusal)
    const since = clock.now()
    const until = since + (config?.maxMinutes ?? 0) * MINUTE_MS
    const acting = { user: target.identifier, reason: printable(asked.reason), write: asked.write, since, until }
    await this.#reopen(request, reply, admin, acting)
    this.#audit('impersonation.begun', admin, acting, request)
    return acting
  }

  /** Ends it, under a new id again. @returns as whom the session acted; `null` where as nobody else */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<Acting | null> {
    const admin = await this.#ownUser(request)
    const acting = await this.actingNow(request)
    if (acting === null) return null
    await this.#reopen(request, reply, admin, null)
    this.#audit('impersonation.ended', admin, acting, request)
    return acting
  }

  /** As whom the session of a request acts, also past its time; `null` where as its own user. */
  async actingNow(request: FastifyRequest): Promise<Acting | null> {
    const record = await this.#parts.sessions.resume(request)
    return record === null ? null : actingOf(record)
  }

  /** The token of a session that acts as another user. @param given what the session says of its own user */
  async tokenOf(acting: Acting, admin: LoadedUser, given: TokenOfSession): Promise<AccessToken> {
    const { users, clock } = this.#parts
    const { user: name, reason, write, until } = acting
    const target = await orUnavailable(() => users.findByIdentifier(name))
    const over =
      clock.now() >= until ? 'expired' : target === null ? 'no such user' : this.#refusal(admin, target, write)
    const held = over === null ? target : null
    return createAccessToken({
      ...given,
      user: held?.identity ?? held ?? { identifier: name === '' ? admin.identifier : name, roles: [] },
      // Neither of them has proven that the other one acts.
      provenAt: null,
      factors: [],
      originalUser: admin.identifier,
      impersonation: Object.freeze({ write, over, reason, until })
    })
  }

  /** Why one may not act as the other; `null` where they may. */
  #refusal(admin: LoadedUser, target: LoadedUser, write: boolean): string | null {
    const { config, roleHierarchy } = this.#parts
    if (config === undefined) return 'it is switched off'
    this.#hierarchy ??= new RoleHierarchy(roleHierarchy)
    const { role, writeRole } = config
    if (!this.#hierarchy.grants(admin.roles, role)) return `it needs ${role}`
    if (write && writeRole === undefined) return 'nobody may make changes as another user'
    if (write && !this.#hierarchy.grants(admin.roles, writeRole as string)) return `changes need ${writeRole}`
    if (target.identifier === admin.identifier) return 'nobody acts as themselves'
    if (!isUsable(target)) return 'the user is locked or disabled'
    const barred = ['ROLE_SVC_ADMIN', role, ...(writeRole === undefined ? [] : [writeRole])]
    const above = new Set(barred.flatMap((each) => rolesGranting(each, roleHierarchy)))
    return target.roles.some((held) => above.has(held)) ? 'the user administers something' : null
  }

  async #ownUser(request: FastifyRequest): Promise<LoadedUser> {
    const { sessions, users } = this.#parts
    const name = (await sessions.resume(request))?.user ?? null
    const admin = name === null ? null : await orUnavailable(() => users.findByIdentifier(name))
    if (admin === null || !isUsable(admin)) throw new InvalidSession()
    return admin
  }

  /** A new session ends what the old one opened, such as WebSockets and pages; what proved its user stays as it was. */
  async #reopen(request: FastifyRequest, reply: FastifyReply, admin: LoadedUser, acting: Acting | null): Promise<void> {
    const { sessions } = this.#parts
    const before = (await sessions.resume(request)) as SessionRecord
    const opened = await sessions.open(request, reply, admin.identifier, before.content)
    const held = sessions.held(request)
    const { proof = null } = before.meta
    const meta = { ...opened.meta, proof, acting: acting === null ? null : { ...acting } }
    if (held === null || !(await sessions.save(held, { meta }))) throw new InvalidSession()
  }

  #audit(action: string, admin: LoadedUser, acting: Acting, request: FastifyRequest): void {
    const { user: resource, reason, write, until } = acting
    const event = { category: 'auth', action, outcome: 'success', actor: admin.identifier, resource } as const
    this.#parts.journal.done({ ...event, reason, metadata: { write, until } }, request)
  }
}
