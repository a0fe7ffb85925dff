/** The calls of one repository, as observers see them: counted in the statistics of the connector, and traced. */
import { type MaybePromise, requestChannels } from 'svc-kernel'
import { conditionsOf, type Grouping, type Selection, type Table, type Where } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { changesText, groupingText } from './asked-text.ts'
import { type AskedOfRows, planText } from './plan-text.ts'
import type { RepositoryHost } from './repository-host.ts'

const { repository: calls } = requestChannels

/** Which of the rows are read and how, how they are grouped, or what is written into them. */
interface Asked extends Selection<AnyRow> {
  readonly grouping?: Grouping
  readonly changes?: unknown
}

export class RepositoryCalls {
  readonly #entity: CompiledEntity
  readonly #host: RepositoryHost
  readonly #table: Table<AnyRow>

  constructor(entity: CompiledEntity, host: RepositoryHost, table: Table<AnyRow>) {
    this.#entity = entity
    this.#host = host
    this.#table = table
  }

  /**
   * Runs `work`, and counts it even if it fails: a database that times out is the slowest of all.
   *
   * @param where, asked what `work` asks of the table, for its plan
   */
  run<T>(operation: string, work: () => MaybePromise<T>, where?: Where<AnyRow>, asked?: Asked): Promise<T> {
    // Not in the asynchronous function, whose frame is allocated with room for these arguments.
    const counted = calls.hasSubscribers ? this.#traced(operation, work, where, asked) : work
    return this.#count(operation, counted)
  }

  async #count<T>(operation: string, work: () => MaybePromise<T>): Promise<T> {
    const { flow, clock } = this.#host
    const start = performance.now()
    try {
      return await work()
    } finally {
      const end = performance.now()
      flow.record(this.#entity.name, operation, end - start, clock, end)
    }
  }

  #traced<T>(
    operation: string,
    work: () => MaybePromise<T>,
    where: Where<AnyRow> = [],
    asked: Asked = {}
  ): () => MaybePromise<T> {
    return () => {
      const { name: entity } = this.#entity
      const { name: connector, ids } = this.#host.database
      const scope = this.#host.scopes.named(this.#entity)
      const conditions = conditionsOf(this.#table.plan, where, ids)
      const plan = planText(operation, entity, conditions, this.#said(asked), scope)
      return calls.trace({ connector, entity, operation, plan }, work)
    }
  }

  #said({ grouping, changes, ...selection }: Asked): AskedOfRows {
    if (changes !== undefined) return { text: changesText(this.#entity, changes) }
    if (grouping === undefined) return selection as AskedOfRows
    const { order = [], limit, having = [] } = grouping
    return { text: groupingText(grouping), order, having, ...(limit !== undefined && { limit }) }
  }
}
