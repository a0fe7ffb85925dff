/**
 * The durable queue as a table of the storage port: SQLite on one machine, PostgreSQL or documents for many instances.
 * A row is a delivery; who holds it stands in it, and a row that nobody holds may be claimed once it is due. Endpoints
 * are visited one after the other, from the one after the last: the cost of a claim does not depend on how many wait.
 */
import type { Clock } from 'svc-kernel'
import { operationsOf, type StoreDefinition, type StoreParts } from 'svc-stores'
import {
  after,
  all,
  atLeast,
  atMost,
  type Database,
  not,
  oneOf,
  purge,
  type Table,
  type TablePlan
} from 'svc-stores/table'
import type {
  DurableCounts,
  DurablePending,
  DurableQueue,
  HeldDelivery,
  NewDelivery,
  Retry,
  Settlement
} from './durable-queue.ts'
import { Holders } from './holders.ts'

interface Row {
  /** Of the message. */
  readonly id: string
  readonly endpointId: string
  readonly event: string
  readonly attempts: number
  /** Empty: nobody. Never null, so that every engine reads the index in order. */
  readonly holder: string
  /** Epoch ms: not to be sent before. `AT_ONCE` comes before all others. */
  readonly dueAt: number
  /** Epoch ms. */
  readonly admittedAt: number
}

const NOBODY = ''
const AT_ONCE = 0

const plan: TablePlan = {
  name: 'svc_webhook_delivery',
  collection: 'webhook_delivery',
  record: 'webhook delivery',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'endpointId', type: 'text' },
    { name: 'event', type: 'text' },
    { name: 'attempts', type: 'integer' },
    { name: 'holder', type: 'text' },
    { name: 'dueAt', type: 'integer' },
    { name: 'admittedAt', type: 'integer' }
  ],
  indexes: [
    { columns: ['holder', 'endpointId', 'dueAt', 'admittedAt'], name: 'by_turn' },
    { columns: ['holder', 'dueAt'], name: 'by_due' },
    { columns: ['admittedAt'], name: 'by_admission' }
  ]
}

const BY_HOLDER = [{ field: 'holder', direction: 'ASC' }] as const
const BY_ENDPOINT = [{ field: 'endpointId', direction: 'ASC' }] as const
const BY_DUE = [{ field: 'dueAt', direction: 'ASC' }] as const
const BY_LINE = [...BY_ENDPOINT, ...BY_DUE] as const
const BY_ADMISSION = [{ field: 'admittedAt', direction: 'ASC' }] as const
/** Within a line: what is due at once has one time, and goes oldest first. */
const BY_TURN = [...BY_DUE, ...BY_ADMISSION] as const

/** Endpoints that one claim looks at; the next goes on from there. */
const VISITED_AT_ONCE = 64

export class TableDurableQueue implements DurableQueue {
  readonly #clock: Clock
  readonly #rows: Table<Row>
  readonly #holders: Holders
  /** The endpoint that was visited last. */
  #visited = ''

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#rows = database.table(plan)
    this.#holders = new Holders(database, {
      names: () => this.#names(),
      release: (holder) => this.#rows.update({ holder }, { set: { holder: NOBODY } })
    })
  }

  async admit(holder: string, deliveries: readonly NewDelivery[]): Promise<readonly string[]> {
    const now = this.#clock.now()
    const rows = deliveries.map(({ id, endpointId, event, held }) => {
      return { id, endpointId, event, attempts: 0, holder: held ? holder : NOBODY, dueAt: now, admittedAt: now }
    })
    const created = await this.#rows.insertNew(rows)
    const wanted = deliveries.filter(({ held }) => held).map(({ id }) => id)
    if (created === rows.length || wanted.length === 0) return wanted
    const ours = await this.#rows.find({ id: oneOf(wanted), holder }, { without: ['event'] })
    return ours.map(({ id }) => id)
  }

  async claim(holder: string, limit: number, room: (endpointId: string) => number): Promise<readonly HeldDelivery[]> {
    const now = this.#clock.now()
    const claimed: Row[] = []
    const visit = async ({ endpointId, dueAt }: Row) => {
      const wanted = dueAt > now ? 0 : Math.min(room(endpointId), limit - claimed.length)
      if (wanted <= 0) return
      const line = { holder: NOBODY, endpointId, dueAt: atMost(now) }
      claimed.push(...(await this.#rows.claim(line, { set: { holder } }, wanted, BY_TURN)))
    }
    // What has waited longest comes first, so that no number of endpoints before it delays it for ever.
    const [first] = await this.#rows.find({ holder: NOBODY }, { order: BY_DUE, limit: 1, without: ['event'] })
    if (first === undefined || first.dueAt > now) return []
    await visit(first as Row)
    const visited = new Set([first.endpointId])
    for (let wraps = 0; claimed.length < limit && visited.size < VISITED_AT_ONCE && wraps < 2; ) {
      const next = await this.#lineAfter(this.#visited)
      this.#visited = next?.endpointId ?? ''
      if (next === undefined) wraps += 1
      else if (next.endpointId !== first.endpointId) {
        if (visited.has(next.endpointId)) break
        visited.add(next.endpointId)
        await visit(next)
      }
    }
    claimed.sort((a, b) => a.dueAt - b.dueAt || a.admittedAt - b.admittedAt)
    return claimed.map(({ id, endpointId, event, attempts }) => ({ id, endpointId, event, attempts }))
  }

  extend(holder: string): Promise<boolean> {
    return this.#holders.beat(holder)
  }

  async settle(holder: string, { ended, retried, released }: Settlement): Promise<void> {
    if (ended.length > 0) await this.#rows.delete({ id: oneOf(ended) })
    const now = this.#clock.now()
    for (const group of alike(retried)) {
      const [{ attempts, delayMs }] = group
      const ids = group.map(({ id }) => id)
      await this.#rows.update({ id: oneOf(ids), holder }, { set: { holder: NOBODY, attempts, dueAt: now + delayMs } })
    }
    if (released.length > 0) await this.#rows.update({ id: oneOf(released), holder }, { set: { holder: NOBODY } })
  }

  async hasten(endpointId: string, limit: number): Promise<number> {
    const line = { holder: NOBODY, endpointId, dueAt: atLeast(AT_ONCE + 1) }
    const rows = await this.#rows.find(line, { order: BY_TURN, limit, without: ['event'] })
    const id = oneOf(rows.map((row) => row.id))
    if (rows.length > 0) await this.#rows.update({ id, holder: NOBODY }, { set: { dueAt: AT_ONCE } })
    return rows.length
  }

  discard(endpointId: string): Promise<number> {
    return purge(this.#rows, { holder: NOBODY, endpointId })
  }

  async counts(): Promise<DurableCounts> {
    const [total, held, [oldest]] = await Promise.all([
      this.#rows.count({}),
      this.#rows.count({ holder: not(NOBODY) }),
      this.#rows.find({}, { order: BY_ADMISSION, limit: 1, without: ['event'] })
    ])
    const oldestMs = oldest === undefined ? null : Math.max(0, this.#clock.now() - oldest.admittedAt)
    return { waiting: Math.max(0, total - held), held, oldestMs }
  }

  async pending(endpointId: string, limit: number): Promise<DurablePending> {
    const line = { holder: NOBODY, endpointId }
    const [waiting, rows, names] = await Promise.all([
      this.#rows.count(line),
      this.#rows.find(line, { order: BY_TURN, limit }),
      this.#names()
    ])
    const held = await Promise.all(names.map((holder) => this.#rows.count({ holder, endpointId })))
    const next = rows.map(({ id, event, attempts, dueAt, admittedAt }) => {
      return { id, endpointId, event, attempts, dueAt: dueAt === AT_ONCE ? admittedAt : dueAt }
    })
    return { waiting, held: held.reduce((sum, count) => sum + count, 0), next }
  }

  leave(holder: string): Promise<void> {
    return this.#holders.leave(holder)
  }

  /** One row for each. */
  async #names(): Promise<readonly string[]> {
    const names: string[] = []
    for (let last = NOBODY; ; ) {
      const where = after<Row>(BY_HOLDER, { holder: last } as Row)
      const [row] = await this.#rows.find(where, { order: BY_HOLDER, limit: 1, without: ['event'] })
      if (row === undefined) return names
      last = row.holder
      names.push(last)
    }
  }

  async #lineAfter(endpointId: string): Promise<Row | undefined> {
    const where = after<Row>(BY_ENDPOINT, { endpointId } as Row)
    const [row] = await this.#rows.find(all({ holder: NOBODY }, where), {
      order: BY_LINE,
      limit: 1,
      without: ['event']
    })
    return row
  }
}

/** In groups that one write can change. */
function alike(retried: readonly Retry[]): Iterable<readonly [Retry, ...Retry[]]> {
  const groups = new Map<string, [Retry, ...Retry[]]>()
  for (const retry of retried) {
    const key = `${retry.attempts} ${retry.delayMs}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [retry])
    else group.push(retry)
  }
  return groups.values()
}

export const deliveriesStore: StoreDefinition<DurableQueue> = {
  brick: 'deliveries',
  operations: operationsOf(TableDurableQueue),
  open: (database, parts) => new TableDurableQueue(database, parts),
  check: (queue) => queue.counts()
}
