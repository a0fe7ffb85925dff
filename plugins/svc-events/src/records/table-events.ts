/** Events in tables of the storage port. The row of the journal says that an event was handed on: it is written with what follows. */
import { TableQueue } from 'svc-queue'
import type { NewJob } from 'svc-queue/driver'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { checkInteger, operationsOf, readFilter } from 'svc-stores/plugin'
import {
  after,
  all,
  atLeast,
  atMost,
  below,
  type Database,
  given,
  held,
  JoinedDatabase,
  purge,
  type Table,
  type Where
} from 'svc-stores/table'
import {
  DELIVERIES,
  type EventFilter,
  type EventPageQuery,
  type JournalRow,
  journalPlan,
  OUTBOX,
  type StoredEvent
} from './event-record.ts'
import type { EventStore, HandOn } from './event-store.ts'

/** No worker holds what is added: the one that has room takes it. */
const NO_WORKER = ''

const filters = { type: 'text', since: 'integer', until: 'integer' } as const

export class TableEvents implements EventStore {
  readonly outbox: TableQueue
  readonly deliveries: TableQueue
  readonly #database: Database
  readonly #parts: StoreParts
  readonly #journal: Table<JournalRow>

  constructor(database: Database, parts: StoreParts) {
    this.#database = database
    this.#parts = parts
    this.#journal = database.table(journalPlan)
    this.outbox = new TableQueue(database, parts.clock, OUTBOX)
    this.deliveries = new TableQueue(database, parts.clock, DELIVERIES)
  }

  async add(event: StoredEvent, traceparent: string | null): Promise<void> {
    const { id, organization: lane } = event
    const traced = traceparent === null ? {} : { traceparent }
    await this.outbox.add([{ id, lane, payload: JSON.stringify(event), ...traced }])
  }

  async handOn(handOn: HandOn): Promise<boolean> {
    const database = this.#database
    // A copy of all tables is no transaction worth its price, and nothing comes between steps there.
    if (database.transactions === false || database.vendor === 'memory') return this.#inSteps(handOn)
    return database.transaction(async (tx) => {
      const store = new TableEvents(new JoinedDatabase(database, tx), this.#parts)
      if (!(await store.#mark(handOn))) return false
      await store.#admit(handOn.deliveries)
      await handOn.besides(tx)
      return true
    })
  }

  async find(organization: string, id: string): Promise<StoredEvent | null> {
    const row = await this.#journal.findOne({ organization, id, data: held })
    return row === null ? null : eventOf(row)
  }

  async list(organization: string, filter: EventFilter, page: EventPageQuery): Promise<readonly StoredEvent[]> {
    const { limit, cursor, oldestFirst = false } = page
    const { type, since, until } = readFilter(filter, filters)
    checkInteger('limit', limit, 1, 1000)
    const parts: Where<JournalRow>[] = [{ organization, data: held }, given({ type }) as Where<JournalRow>]
    if (since !== undefined) parts.push({ ts: atLeast(since) })
    if (until !== undefined) parts.push({ ts: atMost(until) })
    const order = [{ field: 'id', direction: oldestFirst ? 'ASC' : 'DESC' }] as const
    if (cursor !== undefined) parts.push(after<JournalRow>(order, { id: cursor } as JournalRow))
    return (await this.#journal.find(all(...parts), { order, limit })).map(eventOf)
  }

  purge(before: number): Promise<number> {
    return purge(this.#journal, { ts: below(before) })
  }

  async forget(organization: string): Promise<number> {
    await this.outbox.discard(organization)
    return purge(this.#journal, { organization })
  }

  /** In an order that a repetition completes: the mark comes last. */
  async #inSteps(handOn: HandOn): Promise<boolean> {
    const { id } = handOn.event
    if ((await this.#journal.findOne({ id })) !== null) return false
    await this.#admit(handOn.deliveries)
    await handOn.besides(null)
    return this.#mark(handOn)
  }

  /** @returns `false`: it was there */
  async #mark({ event, keepsData }: HandOn): Promise<boolean> {
    const { id, organization, type, version, ts, cause, data: value } = event
    const row: JournalRow = { id, organization, type, version, ts, cause, data: keepsData ? { value } : null }
    return (await this.#journal.insertNew([row])) === 1
  }

  async #admit(deliveries: readonly Omit<NewJob, 'held'>[]): Promise<void> {
    if (deliveries.length === 0) return
    await this.deliveries.admit(
      NO_WORKER,
      deliveries.map((delivery) => ({ ...delivery, held: false }))
    )
  }
}

function eventOf({ id, organization, type, version, ts, data, cause }: JournalRow): StoredEvent {
  return { id, type, version, organization, ts, data: data?.value, cause }
}

export const eventStore: StoreDefinition<EventStore> = {
  brick: 'events',
  operations: operationsOf(TableEvents),
  open: (database, parts) => new TableEvents(database, parts),
  check: (store) => store.outbox.counts()
}
