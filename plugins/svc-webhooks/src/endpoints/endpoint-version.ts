/** How instances that share endpoints know of changes: one number beside them that every change counts up, and is asked for. */
import type { StoreDefinition } from 'svc-stores'
import { operationsOf } from 'svc-stores/plugin'
import type { Database, Table, TablePlan } from 'svc-stores/table'

export interface EndpointVersion {
  /** By key, so cheaply that an instance can ask every second. */
  read(): Promise<number>
  /** An endpoint was registered, changed, disabled or deleted. */
  increment(): Promise<void>
}

interface Row {
  readonly id: string
  readonly version: number
}

const plan: TablePlan = {
  name: 'svc_webhook_version',
  collection: 'webhook_version',
  record: 'version of the webhook endpoints',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'version', type: 'integer' }
  ]
}

const ID = 'endpoints'

export class TableEndpointVersion implements EndpointVersion {
  readonly #table: Table<Row>

  constructor(database: Database) {
    this.#table = database.table(plan)
  }

  async read(): Promise<number> {
    return (await this.#table.findOne({ id: ID }))?.version ?? 0
  }

  async increment(): Promise<void> {
    const change = { add: { version: 1 } }
    if ((await this.#table.update({ id: ID }, change)) === 1) return
    await this.#table.insertNew([{ id: ID, version: 0 }])
    await this.#table.update({ id: ID }, change)
  }
}

export const endpointVersionStore: StoreDefinition<EndpointVersion> = {
  brick: 'webhookVersion',
  operations: operationsOf(TableEndpointVersion),
  open: (database) => new TableEndpointVersion(database),
  check: (store) => store.read()
}
