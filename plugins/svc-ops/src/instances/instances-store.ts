/** The instances of an application that share a database: one row each, which its heartbeat writes. */
import type { StoreDefinition } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import type { Database, Table, TablePlan } from 'svc-stores/table'

/** How an instance fares, as it says itself. */
export interface InstanceFigures {
  /** Of the last five minutes. */
  readonly requests: number
  /** Of them, answered with 5xx. */
  readonly failures: number
  /** Milliseconds; `null` without a request. */
  readonly p95Ms: number | null
  /** The part of the time that its event loop was busy, 0 to 1. */
  readonly busy: number
  /** Resident memory, in bytes. */
  readonly rss: number
  /** Jobs that wait in its queues, all together. */
  readonly waiting: number
}

/** One instance as its heartbeat writes it. */
export interface InstanceRecord {
  /** Of one process: a restart makes another. */
  readonly id: string
  /** For people: `instances.name`, else the name of the host. */
  readonly name: string
  readonly pid: number
  /** Epoch ms, by the clock of the instance, as is `at`. */
  readonly startedAt: number
  /** Heartbeats, counted up: others see by it that the instance lives, without comparing clocks. */
  readonly beat: number
  /** When it was written. */
  readonly at: number
  /** It is about to stop, and takes no new work. */
  readonly leaving: boolean
  readonly figures: InstanceFigures
}

/** Where instances find each other; `svc-ops/conformance` proves one. @throws 503 while its database is away */
export interface InstancesStore {
  /** Writes the row of an instance, in place of the one before. */
  write(record: InstanceRecord): Promise<void>
  /** Every row, the oldest instance first; at most 1 000. */
  list(): Promise<readonly InstanceRecord[]>
  /** Removes a row as it was seen. @param beat leaves it if another heartbeat came meanwhile @returns whether it went */
  remove(id: string, beat?: number): Promise<boolean>
}

const MOST = 1000

const plan: TablePlan = {
  name: 'svc_instance',
  collection: 'svc_instance',
  record: 'instances',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'name', type: 'text' },
    { name: 'pid', type: 'integer' },
    { name: 'startedAt', type: 'integer' },
    { name: 'beat', type: 'integer' },
    { name: 'at', type: 'integer' },
    { name: 'leaving', type: 'boolean' },
    { name: 'figures', type: 'json' }
  ]
}

const shape = {
  fields: ['id', 'name', 'pid', 'startedAt', 'beat', 'at', 'leaving', 'figures'],
  keys: ['id'],
  json: ['figures']
}

export class TableInstancesStore implements InstancesStore {
  readonly #instances: Table<InstanceRecord>

  constructor(database: Database) {
    this.#instances = database.table(plan)
  }

  async write(record: InstanceRecord): Promise<void> {
    await this.#instances.put(storableRecord<InstanceRecord>(record, shape))
  }

  list(): Promise<readonly InstanceRecord[]> {
    return this.#instances.find({}, { order: [{ field: 'startedAt', direction: 'ASC' }], limit: MOST })
  }

  async remove(id: string, beat?: number): Promise<boolean> {
    return (await this.#instances.delete(beat === undefined ? { id } : { id, beat })) === 1
  }
}

/** The brick `instances`, for `fastify.stores.select`. */
export const instancesStore: StoreDefinition<InstancesStore> = {
  brick: 'instances',
  operations: operationsOf(TableInstancesStore),
  open: (database) => new TableInstancesStore(database),
  check: (store) => store.list()
}
