/**
 * Recoveries at rest, the last one of each endpoint: begun, looked at and cancelled on any instance. Whoever runs one holds
 * it for a while and says so again; one whose holder fell silent is there to be taken over.
 */
import type { StoreDefinition } from 'svc-stores'
import { operationsOf } from 'svc-stores/plugin'
import { below, type Database, oneOf, type Table, type TablePlan } from 'svc-stores/table'
import type { Missed } from './missed-events.ts'

export type RecoveryState = 'reading' | 'sending' | 'done' | 'cancelled' | 'failed'

export interface RecoveryRow {
  /** Of the endpoint. */
  readonly id: string
  readonly recovery: string
  /** What the endpoint was subscribed to when it began. */
  readonly events: readonly string[]
  /** Epoch ms, inclusive, by the time of the events. */
  readonly since: number
  readonly until: number
  /** One kind alone; `null`: both. */
  readonly kind: Missed | null
  readonly state: RecoveryState
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly error: string | null
  /** The instance that runs it. */
  readonly holder: string
  /** Epoch ms: until then it is nobody else's. */
  readonly heldUntil: number
}

export type RecoveryProgress = Pick<RecoveryRow, 'state' | 'total' | 'done' | 'failed' | 'error' | 'heldUntil'>

export interface RecoveryStore {
  /** In the place of the one before. @returns `false` where that one is under way */
  begin(row: RecoveryRow): Promise<boolean>
  find(endpointId: string): Promise<RecoveryRow | null>
  /** @returns `false` where it was cancelled, or is another's by now */
  advance(row: Pick<RecoveryRow, 'id' | 'recovery' | 'holder'>, progress: RecoveryProgress): Promise<boolean>
  /** Without effect on one that has ended. */
  cancel(endpointId: string, recovery: string): Promise<void>
  /** Those whose holder fell silent are this one's from now on. @param now epoch ms */
  takeOver(holder: string, now: number, heldUntil: number): Promise<readonly RecoveryRow[]>
  /** The endpoint is gone. */
  forget(endpointId: string): Promise<void>
}

const ACTIVE: readonly RecoveryState[] = ['reading', 'sending']
const ENDED: readonly RecoveryState[] = ['done', 'cancelled', 'failed']

const TAKEN_AT_ONCE = 5

type RecoveryNames = Required<Pick<TablePlan, 'name' | 'collection' | 'record'>>

const NAMES: RecoveryNames = {
  name: 'svc_webhook_recovery',
  collection: 'webhook_recovery',
  record: 'recovery of webhook deliveries'
}

const PLAN: Omit<TablePlan, keyof RecoveryNames> = {
  columns: [
    { name: 'id', type: 'text' },
    { name: 'recovery', type: 'text' },
    { name: 'events', type: 'text', list: true },
    { name: 'since', type: 'integer' },
    { name: 'until', type: 'integer' },
    { name: 'kind', type: 'text', nullable: true },
    { name: 'state', type: 'text' },
    { name: 'total', type: 'integer' },
    { name: 'done', type: 'integer' },
    { name: 'failed', type: 'integer' },
    { name: 'error', type: 'text', nullable: true },
    { name: 'holder', type: 'text' },
    { name: 'heldUntil', type: 'integer' }
  ],
  indexes: [{ columns: ['state', 'heldUntil'], name: 'by_hold' }]
}

export class TableRecoveryStore implements RecoveryStore {
  readonly #rows: Table<RecoveryRow>

  /** @param names absent: those of svc-webhooks */
  constructor(database: Database, names: RecoveryNames = NAMES) {
    this.#rows = database.table({ ...names, ...PLAN })
  }

  async begin(row: RecoveryRow): Promise<boolean> {
    return (await this.#rows.put(row, { guard: { state: oneOf(ENDED) as never } })) !== null
  }

  async find(endpointId: string): Promise<RecoveryRow | null> {
    return this.#rows.findOne({ id: endpointId })
  }

  async advance({ id, recovery, holder }: RecoveryRow, progress: RecoveryProgress): Promise<boolean> {
    const own = { id, recovery, holder, state: oneOf(ACTIVE) as never }
    return (await this.#rows.update(own, { set: progress })) === 1
  }

  async cancel(endpointId: string, recovery: string): Promise<void> {
    await this.#rows.update(
      { id: endpointId, recovery, state: oneOf(ACTIVE) as never },
      { set: { state: 'cancelled' } }
    )
  }

  takeOver(holder: string, now: number, heldUntil: number): Promise<readonly RecoveryRow[]> {
    const silent = { state: oneOf(ACTIVE) as never, heldUntil: below(now) as never }
    return this.#rows.claim(silent, { set: { holder, heldUntil } }, TAKEN_AT_ONCE)
  }

  async forget(endpointId: string): Promise<void> {
    await this.#rows.delete({ id: endpointId })
  }
}

export const recoveryStore: StoreDefinition<RecoveryStore> = {
  brick: 'webhookRecovery',
  operations: operationsOf(TableRecoveryStore),
  open: (database) => new TableRecoveryStore(database),
  check: (store) => store.find('')
}
