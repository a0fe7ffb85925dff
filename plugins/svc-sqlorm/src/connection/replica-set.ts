/**
 * The replicas of a connector, as tables read from them: they take turns, and all reads of one request go to one of them, so
 * that none is older than the one before. What a replica cannot answer the next one does, in the end the primary.
 */
import type { FastifyRequest } from 'fastify'
import type { CompiledQuery, QueryResult } from 'kysely'
import { currentRequest } from 'svc-kernel'
import type { ReplicaHealth } from 'svc-stores/table'
import type { FailureKind } from '../engines/failure.ts'
import { postgresFailure } from '../engines/postgres/postgres-failure.ts'
import type { StoredRecord } from '../engines/sql-engine.ts'
import type { Replica } from './replica.ts'
import { reasonOf, translateError } from './translate-error.ts'

/** Of the statement: the primary would say the same. */
const OF_STATEMENT: ReadonlySet<FailureKind> = new Set(['timeout', 'value'])

type Rows = QueryResult<StoredRecord>

export class ReplicaSet {
  readonly #connector: string
  readonly #replicas: readonly Replica[]
  readonly #ofRequests = new WeakMap<FastifyRequest, Replica>()
  #turn = 0

  constructor(connector: string, replicas: readonly Replica[]) {
    this.#connector = connector
    this.#replicas = replicas
  }

  get health(): readonly ReplicaHealth[] {
    return this.#replicas.map(({ health }) => health)
  }

  /** Waits for the first answer of each; none of them ends the boot. */
  async open(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.open()))
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.close()))
  }

  /**
   * @param setting sets what the read may see; `null`: no table of it is fenced
   * @param primary answers what no replica can
   * @throws StatementTimeout, InvalidValue, DatabaseBusy; what `primary` throws
   */
  async read(query: CompiledQuery, setting: CompiledQuery | null, primary: () => Promise<Rows>): Promise<Rows> {
    const asked = new Set<Replica>()
    for (let replica = this.#next(asked); replica !== undefined; replica = this.#next(asked)) {
      asked.add(replica)
      try {
        return await replica.read(query, setting)
      } catch (error) {
        const failure = postgresFailure(error)
        if (failure !== null && OF_STATEMENT.has(failure.kind)) throw translateError(failure, this.#connector, error)
        if (failure?.kind === 'busy') {
          // All of its connections are taken, unless it was found gone meanwhile: the primary would soon be as busy.
          if (replica.reading) throw translateError(failure, this.#connector, error)
        } else if (failure !== null) replica.leaveOut(reasonOf(failure, error))
        // What it does not know yet, such as a new table, is nothing against it.
      }
    }
    return primary()
  }

  #next(asked: ReadonlySet<Replica>): Replica | undefined {
    const able = this.#replicas.filter((replica) => replica.reading && !asked.has(replica))
    const request = currentRequest()
    const known = request === undefined ? undefined : this.#ofRequests.get(request)
    if (known !== undefined && able.includes(known)) return known
    const next = able[this.#turn % able.length]
    this.#turn += 1
    if (request !== undefined && next !== undefined) this.#ofRequests.set(request, next)
    return next
  }
}
