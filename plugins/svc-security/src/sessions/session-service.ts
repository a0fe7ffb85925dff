/**
 * Sessions: `fastify.sessions`. Reading never opens one; a login opens a new one
 * under a new id and destroys the one before. The content is written when it
 * changed; a plain request writes at most the time of its activity.
 */
import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Json, JsonObject, Page, PageQuery } from 'svc-stores'
import { printable } from '../journal/audit-writer.ts'
import { GuardedStore, orUnavailable } from '../stores/guarded-store.ts'
import { newSessionId, type SessionCookie, sessionRef } from './session-cookie.ts'
import { type KeeperParts, SessionKeeper } from './session-keeper.ts'
import type {
  SessionFilter,
  SessionPatch,
  SessionRecord,
  SessionSortField,
  SessionStore,
  SessionSummary
} from './session-store.ts'

export interface SessionParts extends KeeperParts {
  readonly cookie: SessionCookie
}

/** The session of a request: its id, and its record as soon as it was read. */
interface HeldSession {
  readonly id: string | null
  record: Promise<SessionRecord | null>
  /** What the promise gave, once it did. */
  settled: SessionRecord | null
}

/** Where a request keeps its session; declared by the plugin, so that setting it changes no object shape. */
export const sessionSlot = Symbol('svc.session')

interface SessionRequest extends FastifyRequest {
  [sessionSlot]?: HeldSession | null
}

export class SessionService {
  readonly #parts: SessionParts
  readonly #store: GuardedStore<SessionStore>
  readonly #keeper: SessionKeeper

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#store = new GuardedStore(parts.store)
    this.#keeper = new SessionKeeper(parts)
  }

  /** True when the request brings an id that can be one. Asks no store. */
  isCarried(request: FastifyRequest): boolean {
    return this.idOf(request) !== null
  }

  /** The session id of a request: what its CSRF proof is made from. It never leaves the server. */
  idOf(request: FastifyRequest): string | null {
    const held = (request as SessionRequest)[sessionSlot] ?? null
    return held === null ? this.#parts.cookie.read(request) : held.id
  }

  /**
   * The session of a request, read once per request; never opens one.
   *
   * @returns `null` without a session, or with one that is past a bound (which is then destroyed)
   * @throws AuthenticationUnavailable (503) when the store fails
   */
  resume(request: FastifyRequest): Promise<SessionRecord | null> {
    const held = (request as SessionRequest)[sessionSlot]
    if (held != null) return held.record
    const id = this.#parts.cookie.read(request)
    if (id === null) return Promise.resolve(null)
    const fresh: HeldSession = { id, record: Promise.resolve(null), settled: null }
    fresh.record = this.#read(sessionRef(id), request, fresh)
    this.#hold(request, fresh)
    return fresh.record
  }

  /** What `resume` gave, for who has waited for it already. */
  resumed(request: FastifyRequest): SessionRecord | null {
    return (request as SessionRequest)[sessionSlot]?.settled ?? null
  }

  /**
   * Opens a session under a new id, and destroys the one that the request came with; nothing is carried over.
   *
   * @param user its user, or `null` before a login
   */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    user: string | null,
    content: JsonObject = {}
  ): Promise<SessionRecord> {
    const { cookie, journal } = this.#parts
    const id = newSessionId()
    const before = await this.resume(request)
    if (before !== null) await this.end(before, 'replaced', request)
    const record = await this.#store.ask((store) =>
      store.create({ id: sessionRef(id), user, content, flash: {}, meta: originOf(request) })
    )
    cookie.write(request, reply, id)
    this.#hold(request, { id, record: Promise.resolve(record), settled: record })
    if (user !== null) {
      const event = { category: 'session', action: 'session.opened', outcome: 'success' } as const
      journal.done({ ...event, actor: user, resource: record.id }, request)
    }
    return record
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
    this.#hold(request, { id: null, record: Promise.resolve(null), settled: null })
    if (removed) this.#keeper.destroyed(record, reason, request)
  }

  /**
   * Ends a session of someone else.
   *
   * @param ref its `id` in a listing
   * @returns `false` when there is none
   */
  async revoke(ref: string, request?: FastifyRequest): Promise<boolean> {
    const removed = await orUnavailable(() => this.#keeper.remove(ref))
    if (removed) this.#revoked(ref, {}, request)
    return removed
  }

  /** Ends every session of a user, but one where given. @returns how many */
  async revokeUser(user: string, exceptRef?: string, request?: FastifyRequest): Promise<number> {
    const count = await this.#store.ask((store) => store.destroyByUser(user, exceptRef))
    this.#parts.revocations.notifyUser(user, exceptRef)
    if (count > 0) this.#revoked(user, { count }, request)
    return count
  }

  /**
   * Merges keys into the content; the last of two writers of one key wins. Written only when something changed.
   *
   * @returns `false` without a session
   */
  update(request: FastifyRequest, content: JsonObject): Promise<boolean> {
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
    return this.#store.ask((store) => store.list(filter, page))
  }

  /**
   * Reads a session again, for who holds on to one: `null` when it is gone or past a bound. Rejects as its store does.
   *
   * @param active counts as activity, as a request does
   */
  again(ref: string, active: boolean, request: FastifyRequest): Promise<SessionRecord | null> {
    return this.#keeper.find(ref, active, request)
  }

  /** Epoch ms at which a session is over without further activity; `null` without bounds. */
  endOf(record: SessionRecord): number | null {
    return this.#keeper.endOf(record)
  }

  /** Removes sessions past a bound from their store. @returns how many. Rejects as the store does */
  purge(): Promise<number> {
    return this.#keeper.purge()
  }

  /** Calls `end` when a session ends in this process. @returns stops watching */
  whenOver(ref: string, user: string | null, end: () => void): () => void {
    return this.#parts.revocations.watch(ref, user, end)
  }

  async #write(request: FastifyRequest, change: (record: SessionRecord) => SessionPatch): Promise<boolean> {
    const record = await this.resume(request)
    if (record === null) return false
    const patch = change(record)
    const next = { ...record, ...patch } as SessionRecord
    if (isDeepStrictEqual(next, record)) return true
    const held = (request as SessionRequest)[sessionSlot]
    const written = await this.#store.ask((store) => store.update(record.id, patch))
    if (held != null) {
      held.settled = written ? next : null
      held.record = Promise.resolve(held.settled)
    }
    return written
  }

  async #read(ref: string, request: FastifyRequest, held: HeldSession): Promise<SessionRecord | null> {
    held.settled = await orUnavailable(() => this.#keeper.find(ref, true, request))
    return held.settled
  }

  #hold(request: SessionRequest, held: HeldSession): void {
    request[sessionSlot] = held
  }

  #revoked(resource: string, metadata: Readonly<Record<string, unknown>>, request: FastifyRequest | undefined): void {
    const event = { category: 'session', action: 'session.revoked', outcome: 'success' } as const
    this.#parts.journal.done({ ...event, actor: request?.user?.identifier ?? null, resource, metadata }, request)
  }
}

function originOf(request: FastifyRequest): JsonObject {
  const agent = request.headers['user-agent']
  return { ip: request.ip ?? null, userAgent: agent === undefined ? null : printable(agent) }
}
