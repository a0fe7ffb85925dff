/**
 * Sessions. The id is the SHA-256 of the cookie's value, never the value itself.
 * A write never brings a destroyed session back; a listing never shows content.
 * As in every store, what cannot be asked is refused with status 503 and is never
 * answered as absent; once the application has closed its store, sessions are not found.
 */
import type { Clock, MaybePromise } from 'svc-kernel'
import { andThen, isThenable } from 'svc-kernel/plugin'
import type { JsonObject, Page, PageQuery, StoreDefinition, StoreParts } from 'svc-stores'
import { readFilter, readPage, type SortFields, storablePatch, storableRecord } from 'svc-stores/plugin'
import {
  asDuplicate,
  atMost,
  type Database,
  given,
  joinedLookup,
  type Lookup,
  not,
  pageOf,
  purge,
  sortIndexes,
  type Table,
  type TablePlan,
  type Where
} from 'svc-stores/table'

export interface SessionRecord {
  /** Hash of the session id, base64url. */
  readonly id: string
  /** Identifier of the user; `null` before a login. */
  readonly user: string | null
  readonly content: JsonObject
  /** Messages shown once, by kind. */
  readonly flash: JsonObject
  /** Where the session was opened: ip, user agent. */
  readonly meta: JsonObject
  /** Epoch ms. */
  readonly createdAt: number
  /** Epoch ms of the last activity. */
  readonly updatedAt: number
}

export type NewSession = Omit<SessionRecord, 'createdAt' | 'updatedAt'>

/** A session as listings show it, without its content. */
export type SessionSummary = Omit<SessionRecord, 'content' | 'flash'>

/** Absent keys stay as they are. */
export type SessionPatch = Partial<Pick<SessionRecord, 'user' | 'content' | 'flash' | 'meta'>>

/** Seconds; 0 switches a bound off. */
export interface SessionBounds {
  /** From the last activity. */
  readonly idleTimeoutS: number
  /** From creation; never extended. */
  readonly absoluteTimeoutS: number
}

export interface SessionFilter {
  readonly user?: string
}

export interface OwnedSession<Owner> {
  readonly session: SessionRecord
  /** `null` where there is no such user, or the session has none. */
  readonly owner: Owner | null
}

export type SessionSortField = 'createdAt' | 'updatedAt' | 'id'

export interface SessionStore {
  /** @throws DuplicateRecord when the id exists */
  create(session: NewSession): Promise<SessionRecord>
  /** The stored session, also one past its bounds: the caller judges with `isSessionExpired`. */
  find(id: string): MaybePromise<SessionRecord | null>
  /**
   * Optional: makes a look-up as `find` that brings the user along, in one statement where one database keeps both.
   *
   * @param owners where users are found by identifier
   */
  withOwner?<Owner extends object>(owners: Lookup<Owner>): (id: string) => MaybePromise<OwnedSession<Owner> | null>
  /** Writes the given keys and the activity time. `false` when the session is gone; it stays gone. */
  update(id: string, patch: SessionPatch): Promise<boolean>
  /** Writes the activity time alone, forward only. `false` when the session is gone. */
  touch(id: string): Promise<boolean>
  /** `true` when this call removed it. */
  destroy(id: string): Promise<boolean>
  /** Removes every session of a user, except one where given. @returns how many */
  destroyByUser(user: string, exceptId?: string): Promise<number>
  /** Newest first. Without content and flash. */
  list(filter: SessionFilter, page: PageQuery<SessionSortField>): Promise<Page<SessionSummary>>
  count(filter: SessionFilter): Promise<number>
  /** Removes sessions past either bound. @returns how many */
  purge(bounds: SessionBounds): Promise<number>
}

const plan: TablePlan = {
  name: 'svc_session',
  collection: 'session',
  record: 'session',
  columns: [
    { name: 'id', type: 'text', field: 'sessionId' },
    { name: 'user', type: 'text', nullable: true },
    { name: 'content', type: 'document' },
    { name: 'flash', type: 'document' },
    { name: 'meta', type: 'document' },
    { name: 'createdAt', type: 'integer' },
    { name: 'updatedAt', type: 'integer' }
  ],
  indexes: [
    { columns: ['user', ['createdAt', 'desc']], held: 'user', on: 'sql' },
    { columns: [['createdAt', 'desc'], 'id'], on: 'sql' },
    { columns: [['updatedAt', 'desc'], 'id'], on: 'sql' },
    { columns: ['id'], unique: true, name: 'unique_session', on: 'documents' },
    { columns: ['user', ['createdAt', 'desc'], 'id'], name: 'by_user', on: 'documents' },
    ...sortIndexes(['createdAt', 'updatedAt'])
  ]
}

const shape = {
  fields: ['id', 'user', 'content', 'flash', 'meta'],
  patch: ['user', 'content', 'flash', 'meta'],
  keys: ['id', 'user'],
  json: ['content', 'flash', 'meta']
}

export const sessionSort: SortFields<SessionSortField> = {
  fields: ['createdAt', 'updatedAt', 'id'],
  fallback: ['createdAt', 'DESC']
}

const HIDDEN = ['content', 'flash'] as const

/** Once the application closes its database, calls find and do nothing, but for a new session, which would be lost. */
export class TableSessionStore implements SessionStore {
  readonly #clock: Clock
  readonly #database: Database
  readonly #sessions: Table<SessionRecord>
  /** No method: an operation is what every store has. */
  readonly withOwner = <Owner extends object>(owners: Lookup<Owner>) => {
    const lookup = joinedLookup<SessionRecord, readonly [Owner]>(this.#sessions, [{ ...owners, on: 'user' }])
    return (id: string): MaybePromise<OwnedSession<Owner> | null> =>
      this.#found(() => andThen(lookup({ id }), (found) => found && { session: found[0], owner: found[1] }))
  }

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#database = database
    this.#sessions = database.table(plan)
  }

  async create(session: NewSession): Promise<SessionRecord> {
    const now = this.#clock.now()
    const record = { ...storableRecord(session, shape), createdAt: now, updatedAt: now }
    await asDuplicate('session', this.#sessions.insert([record]))
    return record
  }

  find(id: string): MaybePromise<SessionRecord | null> {
    return this.#found(() => this.#sessions.findOne({ id }))
  }

  async update(id: string, patch: SessionPatch): Promise<boolean> {
    const set = storablePatch(patch, shape)
    return this.#unlessClosing(false, () => this.#write(id, set))
  }

  touch(id: string): Promise<boolean> {
    return this.#unlessClosing(false, () => this.#write(id, {}))
  }

  destroy(id: string): Promise<boolean> {
    return this.#unlessClosing(false, async () => (await this.#sessions.delete({ id })) === 1)
  }

  destroyByUser(user: string, exceptId?: string): Promise<number> {
    const others = exceptId === undefined ? {} : { id: not(exceptId) }
    return this.#unlessClosing(0, () => this.#sessions.delete({ user, ...others }))
  }

  async list(filter: SessionFilter, page: PageQuery<SessionSortField>): Promise<Page<SessionSummary>> {
    const where = whereOf(filter)
    const { limit, offset } = readPage(page, sessionSort)
    const none = { items: [], limit, offset, hasNext: false }
    return this.#unlessClosing(none, () => pageOf(this.#sessions, where, page, sessionSort, HIDDEN))
  }

  async count(filter: SessionFilter): Promise<number> {
    const where = whereOf(filter)
    return this.#unlessClosing(0, () => this.#sessions.count(where))
  }

  async purge({ idleTimeoutS, absoluteTimeoutS }: SessionBounds): Promise<number> {
    const now = this.#clock.now()
    // One bound after the other: each has its own index.
    const idle = idleTimeoutS > 0 ? await this.#over({ updatedAt: atMost(now - idleTimeoutS * 1000) }) : 0
    const old = absoluteTimeoutS > 0 ? await this.#over({ createdAt: atMost(now - absoluteTimeoutS * 1000) }) : 0
    return idle + old
  }

  #over(where: Where<SessionRecord>): Promise<number> {
    return this.#unlessClosing(0, () => purge(this.#sessions, where))
  }

  async #write(id: string, set: SessionPatch): Promise<boolean> {
    return (await this.#sessions.update({ id }, { set, max: { updatedAt: this.#clock.now() } })) === 1
  }

  /** As `#unlessClosing`, without a promise where the answer is none. */
  #found<T>(look: () => MaybePromise<T | null>): MaybePromise<T | null> {
    if (this.#database.closing) return null
    const found = look()
    return isThenable(found) ? this.#unlessClosing(null, () => found) : found
  }

  async #unlessClosing<T>(nothing: T, work: () => Promise<T>): Promise<T> {
    try {
      return this.#database.closing ? nothing : await work()
    } catch (error) {
      if (this.#database.closing) return nothing
      throw error
    }
  }
}

function whereOf(filter: SessionFilter): Where<SessionRecord> {
  return given({ user: readFilter(filter, { user: 'text' }).user })
}

export const sessionStore: StoreDefinition<SessionStore> = {
  brick: 'session',
  operations: ['create', 'find', 'update', 'touch', 'destroy', 'destroyByUser', 'list', 'count', 'purge'],
  open: (database, parts) => new TableSessionStore(database, parts),
  check: async (store) => store.find('health')
}
