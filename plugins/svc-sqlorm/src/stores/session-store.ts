/**
 * Sessions in the table `svc_session`. While the database is away every call is
 * refused: what cannot be asked is not absent. Once the application has closed the
 * connection, calls find and do nothing instead, but for a new session, which would be lost.
 */
import type { Clock } from 'svc-kernel'
import { ConnectionUnavailable } from 'svc-orm'
import {
  filterTypes,
  type NewSession,
  newRecords,
  type Page,
  type PageQuery,
  readFilter,
  readPage,
  recordShapes,
  type SessionBounds,
  type SessionFilter,
  type SessionPatch,
  type SessionRecord,
  type SessionSortField,
  type SessionStore,
  type SessionSummary,
  sortFields,
  storablePatch,
  storableRecord
} from 'svc-stores'
import type { SqlConnection } from '../connection/sql-connection.ts'
import { freeJson, integer, optionalText, text } from './store-columns.ts'
import { all, atLeast, compared, EVERYTHING, exactly, otherThan, type Where } from './store-conditions.ts'
import { type StorePlan, StoreTable } from './store-table.ts'

export const sessionPlan: StorePlan = {
  brick: 'session',
  unique: 'id',
  table: {
    name: 'svc_session',
    columns: [
      text('id'),
      optionalText('user'),
      freeJson('content'),
      freeJson('flash'),
      freeJson('meta'),
      integer('createdAt'),
      integer('updatedAt')
    ],
    indexes: [
      { columns: ['user', ['createdAt', 'desc']], held: 'user' },
      { columns: [['createdAt', 'desc'], 'id'] },
      { columns: [['updatedAt', 'desc'], 'id'] }
    ]
  }
}

const HIDDEN = ['content', 'flash'] as const

export class SqlSessionStore implements SessionStore {
  readonly #clock: Clock
  readonly #sessions: StoreTable<SessionRecord>

  constructor(connection: SqlConnection, clock: Clock) {
    this.#clock = clock
    this.#sessions = StoreTable.declare(connection, sessionPlan)
  }

  async create(session: NewSession): Promise<SessionRecord> {
    const record = newRecords.session(storableRecord(session, recordShapes.session), this.#clock.now())
    await this.#sessions.insert(record)
    return record
  }

  find(id: string): Promise<SessionRecord | null> {
    return this.#unlessClosed(null, () => this.#sessions.findBy('id', id))
  }

  async update(id: string, patch: SessionPatch): Promise<boolean> {
    const changes = { ...storablePatch(patch, recordShapes.session), ...this.#activity() }
    return this.#unlessClosed(false, async () => (await this.#sessions.update(changes, exactly('id', id))) === 1)
  }

  touch(id: string): Promise<boolean> {
    const touched = async () => (await this.#sessions.update(this.#activity(), exactly('id', id))) === 1
    return this.#unlessClosed(false, touched)
  }

  destroy(id: string): Promise<boolean> {
    return this.#unlessClosed(false, async () => (await this.#sessions.delete(exactly('id', id))) === 1)
  }

  destroyByUser(user: string, exceptId?: string): Promise<number> {
    const others = exceptId === undefined ? undefined : otherThan('id', exceptId)
    return this.#unlessClosed(0, () => this.#sessions.delete(all(exactly('user', user), others)))
  }

  async list(filter: SessionFilter, page: PageQuery<SessionSortField>): Promise<Page<SessionSummary>> {
    const matching = toWhere(filter)
    const { limit, offset } = readPage(page, sortFields.session)
    const empty = { items: [], limit, offset, hasNext: false }
    return this.#unlessClosed(empty, () => this.#sessions.page(matching, page, sortFields.session, HIDDEN))
  }

  async count(filter: SessionFilter): Promise<number> {
    const matching = toWhere(filter)
    return this.#unlessClosed(0, () => this.#sessions.count(matching))
  }

  async purge({ idleTimeoutS, absoluteTimeoutS }: SessionBounds): Promise<number> {
    const now = this.#clock.now()
    // One bound after the other: each has an index of its own.
    const idle = idleTimeoutS > 0 ? await this.#over('updatedAt', now - idleTimeoutS * 1000) : 0
    const old = absoluteTimeoutS > 0 ? await this.#over('createdAt', now - absoluteTimeoutS * 1000) : 0
    return idle + old
  }

  #over(column: 'createdAt' | 'updatedAt', time: number): Promise<number> {
    return this.#unlessClosed(0, () => this.#sessions.purge(compared(column, '<=', time)))
  }

  #activity() {
    return { updatedAt: atLeast('updatedAt', this.#clock.now()) }
  }

  async #unlessClosed<T>(nothing: T, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (this.#sessions.closed && error instanceof ConnectionUnavailable) return nothing
      throw error
    }
  }
}

function toWhere(filter: SessionFilter): Where {
  const { user } = readFilter(filter, filterTypes.session)
  return user === undefined ? EVERYTHING : exactly('user', user)
}
