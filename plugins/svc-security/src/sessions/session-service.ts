/**
 * Sessions: `fastify.sessions`. Reading never opens one; a login opens a new one
 * under a new id and destroys the one before. Both time bounds hold on every read.
 * The content is written when it changed; a plain request writes at most the time
 * of its activity, at most once per minute (or half the idle time).
 */
import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from 'svc-kernel'
import {
  isSessionExpired,
  type Json,
  type JsonObject,
  type Page,
  type PageQuery,
  type SessionBounds,
  type SessionFilter,
  type SessionPatch,
  type SessionRecord,
  type SessionSortField,
  type SessionStore,
  type SessionSummary
} from 'svc-stores'
import { AuthenticationUnavailable } from '../errors.ts'
import { printable } from '../journal/printable.ts'
import type { SessionJournal } from '../journal/session-journal.ts'
import { orUnavailable } from '../settlement/or-unavailable.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { SessionEnds } from './session-ends.ts'
import { newSessionId, sessionRef } from './session-id.ts'

export interface SessionParts {
  /** `null` where the brick is disabled: whoever needs a session is answered 503. */
  readonly store: SessionStore | null
  readonly cookie: SessionCookie
  readonly bounds: SessionBounds
  readonly clock: Clock
  readonly journal: SessionJournal
  readonly ends: SessionEnds
}

/** The session of a request: its id, and its record as soon as it was read. */
interface HeldSession {
  readonly id: string | null
  record: Promise<SessionRecord | null>
}

/** Where a request keeps its session; declared by the plugin, so that setting it changes no object shape. */
export const sessionSlot = Symbol('svc.session')

interface SessionRequest extends FastifyRequest {
  [sessionSlot]?: HeldSession | null
}

const MAX_TOUCH_MS = 60_000

export class SessionService {
  readonly #parts: SessionParts
  readonly #touchMs: number
  readonly #touching = new Set<string>()

  constructor(parts: SessionParts) {
    this.#parts = parts
    const { idleTimeoutS } = parts.bounds
    this.#touchMs = idleTimeoutS > 0 ? Math.min(MAX_TOUCH_MS, idleTimeoutS * 500) : MAX_TOUCH_MS
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
    const record = orUnavailable(() => this.#read(id, request))
    this.#hold(request, { id, record })
    return record
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
    const record = await orUnavailable(async () => {
      const before = this.idOf(request)
      if (before !== null) await this.#remove(sessionRef(before))
      return this.#store.create({ id: sessionRef(id), user, content, flash: {}, meta: originOf(request) })
    })
    cookie.write(request, reply, id)
    this.#hold(request, { id, record: Promise.resolve(record) })
    if (user !== null) journal.opened(record, request)
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
    const removed = await orUnavailable(() => this.#remove(record.id))
    this.#hold(request, { id: null, record: Promise.resolve(null) })
    if (removed && record.user !== null) this.#parts.journal.destroyed(record, reason, request)
  }

  /**
   * Ends a session of someone else.
   *
   * @param ref its `id` in a listing
   * @returns `false` when there is none
   */
  async revoke(ref: string, request?: FastifyRequest): Promise<boolean> {
    const removed = await orUnavailable(() => this.#remove(ref))
    if (removed) this.#parts.journal.revoked(ref, null, request)
    return removed
  }

  /** Ends every session of a user, but one where given. @returns how many */
  async revokeUser(user: string, exceptRef?: string, request?: FastifyRequest): Promise<number> {
    const count = await orUnavailable(() => this.#store.destroyByUser(user, exceptRef))
    this.#parts.ends.tellUser(user, exceptRef)
    if (count > 0) this.#parts.journal.revoked(user, count, request)
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
    return orUnavailable(() => this.#store.list(filter, page))
  }

  /**
   * Reads a session again, for who holds on to one: `null` when it is gone or past a bound.
   *
   * @param active counts as activity, as a request does
   */
  async again(ref: string, active: boolean, request: FastifyRequest): Promise<SessionRecord | null> {
    const record = await this.#alive(await this.#store.find(ref), request)
    return active && record !== null ? this.#keep(record, request) : record
  }

  get #store(): SessionStore {
    if (this.#parts.store === null) throw new AuthenticationUnavailable()
    return this.#parts.store
  }

  async #read(id: string, request: FastifyRequest): Promise<SessionRecord | null> {
    const record = await this.#alive(await this.#store.find(sessionRef(id)), request)
    return record === null ? null : this.#keep(record, request)
  }

  async #alive(record: SessionRecord | null, request: FastifyRequest): Promise<SessionRecord | null> {
    if (record === null) return null
    const { bounds, clock, journal } = this.#parts
    if (!isSessionExpired(record, bounds, clock.now())) return record
    if ((await this.#remove(record.id)) && record.user !== null) journal.destroyed(record, 'expired', request)
    return null
  }

  /** A store that cannot write the time of an activity does not refuse the activity. */
  async #keep(record: SessionRecord, request: FastifyRequest): Promise<SessionRecord | null> {
    const now = this.#parts.clock.now()
    if (now - record.updatedAt < this.#touchMs || this.#touching.has(record.id)) return record
    this.#touching.add(record.id)
    try {
      return (await this.#store.touch(record.id)) ? { ...record, updatedAt: now } : null
    } catch (error) {
      this.#parts.journal.mishap('the activity of a session could not be written', error, request)
      return record
    } finally {
      this.#touching.delete(record.id)
    }
  }

  async #write(request: FastifyRequest, change: (record: SessionRecord) => SessionPatch): Promise<boolean> {
    const record = await this.resume(request)
    if (record === null) return false
    const patch = change(record)
    const next = { ...record, ...patch } as SessionRecord
    if (isDeepStrictEqual(next, record)) return true
    const held = (request as SessionRequest)[sessionSlot]
    const written = await orUnavailable(() => this.#store.update(record.id, patch))
    if (held != null) held.record = Promise.resolve(written ? next : null)
    return written
  }

  async #remove(ref: string): Promise<boolean> {
    const removed = await this.#store.destroy(ref)
    this.#parts.ends.tell(ref)
    return removed
  }

  #hold(request: SessionRequest, held: HeldSession): void {
    request[sessionSlot] = held
  }
}

function originOf(request: FastifyRequest): JsonObject {
  const agent = request.headers['user-agent']
  return { ip: request.ip ?? null, userAgent: agent === undefined ? null : printable(agent) }
}
