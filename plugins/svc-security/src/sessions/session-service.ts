/**
 * Sessions: `fastify.sessions`. Reading never opens one; a login opens a new one under a new id and destroys the one before.
 * The content is written when it changed; a plain request writes at most the time of its activity.
 */
import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { currentRequest, type MaybePromise } from 'svc-kernel'
import { andThen } from 'svc-kernel/plugin'
import type { Json, JsonObject, Page, PageQuery } from 'svc-stores'
import { guardedStore, orUnavailable } from '../stores/guarded-store.ts'
import type { UserRecord } from '../users/user-store.ts'
import { type HeldSession, noSession, settle } from './held-session.ts'
import { refuseReservedKeys } from './reserved-keys.ts'
import { newSessionId, type SessionCookie, sessionRef } from './session-cookie.ts'
import { type KeeperParts, SessionKeeper } from './session-keeper.ts'
import { newRenewal, originOf, type Proof, proofOf, provenNow } from './session-meta.ts'
import {
  type SessionFilter,
  type SessionPatch,
  type SessionRecord,
  type SessionSortField,
  type SessionStore,
  type SessionSummary,
  sessionStore
} from './session-store.ts'

export type SessionParts = KeeperParts & { readonly cookie: SessionCookie }

/** Where a request keeps its session; declared by the plugin, so that setting it changes no object shape. */
export const sessionSlot = Symbol('svc.session')

interface SessionRequest extends FastifyRequest {
  [sessionSlot]?: HeldSession | null
}

/** `fastify.sessions`: opens, reads and ends sessions. Reading never opens one; a login changes the id. */
export class SessionService {
  readonly #parts: SessionParts
  readonly #store: SessionStore
  readonly #keeper: SessionKeeper

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#store = guardedStore(sessionStore, parts.store)
    this.#keeper = new SessionKeeper(parts)
  }

  /** The session id of a request: what its CSRF proof is made from. It never leaves the server. */
  idOf(request: FastifyRequest): string | null {
    const held = this.held(request)
    return held === null ? (this.#parts.cookie.read(request)?.id ?? null) : held.id
  }

  /** The session of a request that was resumed or opened. */
  held(request: FastifyRequest): HeldSession | null {
    return (request as SessionRequest)[sessionSlot] ?? null
  }

  /** Makes a session that of a request. */
  hold(request: FastifyRequest, held: HeldSession): void {
    ;(request as SessionRequest)[sessionSlot] = held
  }

  /**
   * The session of a request, read once per request; never opens one.
   *
   * @returns `null` without a session, or with one that is past a bound (which is then destroyed)
   * @throws AuthenticationUnavailable (503) when the store fails
   */
  async resume(request: FastifyRequest): Promise<SessionRecord | null> {
    return (this.held(request) ?? this.#read(request, false)).record
  }

  /** As `resume`, at once where the store answers at once, and with the user where one look-up brings both. */
  resumeWithUser(request: FastifyRequest): MaybePromise<SessionRecord | null> {
    return (this.held(request) ?? this.#read(request, true)).record
  }

  /** The user that `resumeWithUser` read along, once; `undefined` where it was not read. */
  takeUser(request: FastifyRequest): UserRecord | null | undefined {
    const held = this.held(request)
    const user = held?.user
    if (held !== null) held.user = undefined
    return user
  }

  /** What `resume` gave, for who has waited for it already. */
  resumed(request: FastifyRequest): SessionRecord | null {
    return this.held(request)?.settled ?? null
  }

  /**
   * Opens a session under a new id, and destroys the one that the request came with; nothing is carried over.
   * @param user `null` before a login @param proof by what the user was proven just now, `pwd`, `otp`, ..., or when and by what
   */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    user: string | null,
    content: JsonObject = {},
    proof: readonly string[] | Proof = []
  ): Promise<SessionRecord> {
    const { cookie, journal, clock } = this.#parts
    const before = await this.resume(request)
    if (before !== null) await this.end(before, 'replaced', request)
    const [held, id] = [noSession(), newSessionId()]
    const meta = user === null ? {} : provenNow(clock.now(), proof)
    const record = await this.begin(held, id, { user, content, flash: {} }, request, meta)
    cookie.write(request, reply, id)
    this.hold(request, held)
    if (user !== null) {
      const event = { category: 'session', action: 'session.opened', outcome: 'success' } as const
      journal.done({ ...event, actor: user, resource: record.id }, request)
    }
    return record
  }

  /**
   * Notes that the user of a session was proven again just now: the password once more, or a factor. The answer brings a
   * new cookie, and the one before is over; a handshake has no answer to bring it, and keeps its own. The session stays,
   * and so do its content, its CSRF token and the WebSockets it has opened.
   *
   * @param factors what was shown; those of the login stay beside them
   * @returns `false` without a session of a user
   */
  async confirm(request: FastifyRequest, factors: readonly string[]): Promise<boolean> {
    const record = await this.resume(request)
    const held = this.held(request)
    if (held === null || record === null || record.user === null) return false
    const proof = provenNow(this.#parts.clock.now(), [...proofOf(record).factors, ...factors])
    const renewed = request.ws ? null : newRenewal()
    const saved = await this.save(held, { meta: { ...record.meta, ...proof, ...renewed?.meta } })
    if (saved && renewed !== null) Object.assign(held, { renewal: renewed.renewal, unsent: true })
    return saved
  }

  /** Creates the record of a session. What ends or fails meanwhile is not begun a second time by a write of its content. */
  async begin(
    held: HeldSession,
    id: string,
    session: Pick<SessionRecord, 'user' | 'content' | 'flash'>,
    request: FastifyRequest | undefined = currentRequest(),
    proof: JsonObject = {}
  ): Promise<SessionRecord> {
    held.id = id
    try {
      const meta = { ...(request === undefined ? {} : originOf(request)), ...proof }
      const record = await this.#store.create({ id: sessionRef(id), ...session, meta })
      settle(held, record)
      return record
    } catch (error) {
      held.id = null
      throw error
    }
  }

  /** Writes to a session that was read. @returns `false` where it has ended; it stays so */
  async save(held: HeldSession, patch: SessionPatch): Promise<boolean> {
    const record = held.settled ?? null
    if (record === null) return false
    const written = await this.#store.update(record.id, patch)
    settle(held, written ? { ...record, ...patch } : null)
    return written
  }

  /** Ends the session of a request and clears its cookie. @returns what it was, or `null` */
  async destroy(request: FastifyRequest, reply: FastifyReply): Promise<SessionRecord | null> {
    const record = await this.resume(request)
    if (record !== null) await this.end(record, 'logout', request)
    if (this.#parts.cookie.isPresent(request)) this.#parts.cookie.clear(request, reply)
    return record
  }

  /** Ends a session that was read, for a reason that the audit shows. */
  async end(record: SessionRecord, reason: string, request: FastifyRequest): Promise<void> {
    const removed = await orUnavailable(() => this.#keeper.remove(record.id))
    this.hold(request, noSession())
    if (removed) this.#keeper.destroyed(record, reason, request)
  }

  /** Ends a session of someone else. @param ref its `id` in a listing @returns `false` when there is none */
  async revoke(ref: string, request?: FastifyRequest): Promise<boolean> {
    const removed = await orUnavailable(() => this.#keeper.remove(ref))
    if (removed) this.#revoked(ref, {}, request)
    return removed
  }

  /** Ends every session of a user, but one where given. @returns how many */
  async revokeUser(user: string, exceptRef?: string, request?: FastifyRequest): Promise<number> {
    const count = await this.#store.destroyByUser(user, exceptRef)
    this.#parts.revocations.notifyUser(user, exceptRef)
    if (count > 0) this.#revoked(user, { count }, request)
    return count
  }

  /**
   * Merges keys into the content; the last writer of a key wins. Written when it changed. @returns `false` without a session
   * @throws SessionKeyReserved (SVC_SEC_SESSION_KEY) for a key of a login, or of `request.session` itself
   */
  async update(request: FastifyRequest, content: JsonObject): Promise<boolean> {
    refuseReservedKeys(content)
    return this.#write(request, (record) => ({ content: { ...record.content, ...content } }))
  }

  /** Keeps a message that is shown once, by kind. @returns `false` without a session */
  flash(request: FastifyRequest, kind: string, message: Json): Promise<boolean> {
    return this.#write(request, ({ flash }) => ({ flash: { ...flash, [kind]: message } }))
  }

  /** The messages that wait; they are gone afterwards. */
  async takeFlash(request: FastifyRequest): Promise<JsonObject> {
    const flash = (await this.resume(request))?.flash ?? {}
    await this.#write(request, () => ({ flash: {} }))
    return flash
  }

  /** A page of sessions, without content and flash. */
  list(filter: SessionFilter, page: PageQuery<SessionSortField>): Promise<Page<SessionSummary>> {
    return this.#store.list(filter, page)
  }

  /**
   * Reads a session again, for who holds on to one: `null` when it is gone or past a bound. Rejects as its store does.
   * @param active counts as activity, as a request does
   */
  again(ref: string, active: boolean, request: FastifyRequest | undefined): MaybePromise<SessionRecord | null> {
    return this.#keeper.find(ref, active, request)
  }

  /** Epoch ms at which a session is over without further activity; `null` without bounds. */
  endOf(record: SessionRecord): number | null {
    return this.#keeper.endOf(record)
  }

  /** Removes sessions past a bound from their store. @returns how many. Rejects as the store does */
  readonly purge = (): Promise<number> => this.#keeper.purge()
  /** Writes the activity of sessions that could not be written before. */
  readonly writeActivity = (): Promise<void> => this.#keeper.writeActivity()

  /** Calls `end` when a session ends in this process. @returns stops watching */
  whenOver(ref: string, user: string | null, end: () => void): () => void {
    return this.#parts.revocations.watch(ref, user, end)
  }

  async #write(request: FastifyRequest, change: (record: SessionRecord) => SessionPatch): Promise<boolean> {
    await this.resume(request)
    const held = this.held(request)
    if (held?.view?.isModified()) await held.view.save()
    const record = held?.settled ?? null
    if (held === null || record === null) return false
    const patch = change(record)
    if (isDeepStrictEqual({ ...record, ...patch }, record)) return true
    // The next `request.session` is made of what is written here.
    held.view = undefined
    return this.save(held, patch)
  }

  #read(request: FastifyRequest, withUser: boolean): HeldSession {
    const held = noSession()
    this.hold(request, held)
    const token = this.#parts.cookie.read(request)
    if (token === null) return held
    held.id = token.id
    held.settled = undefined
    const found = orUnavailable(() => this.#keeper.resume(token, withUser, request))
    held.record = andThen(found, (resumed) => {
      held.user = resumed?.user
      held.settled = resumed?.record ?? null
      return held.settled
    })
    return held
  }

  #revoked(resource: string, metadata: Readonly<Record<string, unknown>>, request: FastifyRequest | undefined): void {
    const event = { category: 'session', action: 'session.revoked', outcome: 'success' } as const
    this.#parts.journal.done({ ...event, actor: request?.user?.identifier ?? null, resource, metadata }, request)
  }
}
