/** The calls of one repository, as observers see them: counted in the statistics of the connector, and traced. */
import { type MaybePromise, requestChannels } from 'svc-kernel'
import { conditionsOf, type Selection, type Table, type Where } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { planText } from './plan-text.ts'
import type { RepositoryHost } from './repository-host.ts'

const { repository: calls } = requestChannels

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
   * @param where, selection what `work` asks of the table, for its plan
   */
  run<T>(
    operation: string,
    work: () => MaybePromise<T>,
    where?: Where<AnyRow>,
    selection?: Selection<AnyRow>
  ): Promise<T> {
    // Not in the asynchronous function, whose frame is allocated with room for these arguments.
    const counted = calls.hasSubscribers ? this.#traced(operation, work, where, selection) : work
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
    selection?: Selection<AnyRow>
  ): () => MaybePromise<T> {
    return () => {
      const { name: entity } = this.#entity
      const { name: connector, ids } = this.#host.database
      const scope = this.#host.scopes.named(this.#entity)
      const plan = planText(operation, entity, conditionsOf(this.#table.plan, where, ids), selection, scope)
      return calls.trace({ connector, entity, operation, plan }, work)
    }
  }
}
