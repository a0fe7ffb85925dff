/**
 * The slow statements of an application's databases, as their drivers time them: for the log, and beside the slow
 * operations that they belong to.
 */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { type Clock, currentRequest, type Statement } from 'svc-kernel'
import { hearSlowStatements } from 'svc-kernel/plugin'
import { RingBuffer } from 'svc-stores/plugin'
import { SlowStatementLog } from './slow-statement-log.ts'

/** The entity that each table keeps, by connector and table. */
export type EntityTables = ReadonlyMap<string, ReadonlyMap<string, string>>

export interface SlowStatementsParts {
  readonly log: FastifyBaseLogger
  readonly clock: Clock
  /** From here on a statement is logged, ms; 0: never. */
  readonly logMs: number
  /** From here on an operation is listed as slow, ms; `null` where none is listed. */
  readonly operationMs: number | null
}

interface Recent {
  readonly connector: string
  readonly entity: string
  readonly text: string
  /** Of the process, ms. */
  readonly endedAt: number
  readonly durationMs: number
  readonly request: WeakRef<FastifyRequest> | undefined
}

/** Operations look for theirs as soon as they are over. */
const KEPT = 100

/** Of sums of times. */
const ROUNDING_MS = 0.001

export class SlowStatements {
  readonly #parts: SlowStatementsParts
  readonly #lines: SlowStatementLog
  readonly #recent = new RingBuffer<Recent>(KEPT)
  #tables: EntityTables = new Map()
  #isBooted = false

  constructor(parts: SlowStatementsParts) {
    this.#parts = parts
    this.#lines = new SlowStatementLog(parts.log, parts.clock)
  }

  /** The boot is over: what it takes to make tables and to migrate is no news. */
  booted(): void {
    this.#isBooted = true
  }

  /** @param tables of this application: drivers publish for all of the process @returns ends it */
  listen(tables: EntityTables): () => void {
    this.#tables = tables
    const { logMs, operationMs } = this.#parts
    const limits = [...(logMs === 0 ? [] : [logMs]), ...(operationMs === null ? [] : [operationMs])]
    if (limits.length === 0) return () => undefined
    const end = hearSlowStatements(Math.min(...limits), (statement) => this.#heard(statement))
    return () => {
      end()
      this.#lines.close()
    }
  }

  /** The statement that an operation mostly waited for. @param ms how long it took @param endedAt time of the process, ms */
  ofOperation(connector: string, entity: string, ms: number, endedAt: number): string | undefined {
    const request = currentRequest()
    const begunAt = endedAt - ms - ROUNDING_MS
    let longest: Recent | undefined
    for (const each of this.#recent.newest()) {
      const isOwn = each.connector === connector && each.entity === entity && each.request?.deref() === request
      const isInside = each.endedAt - each.durationMs >= begunAt && each.endedAt <= endedAt
      if (isOwn && isInside && each.durationMs > (longest?.durationMs ?? 0)) longest = each
    }
    return longest?.text
  }

  #heard(statement: Statement): void {
    const { connector, table, kind, text, durationMs } = statement
    const tables = this.#tables.get(connector)
    if (tables === undefined) return
    const entity = (table === null ? undefined : tables.get(table)) ?? null
    const { logMs, operationMs } = this.#parts
    if (this.#isBooted && logMs !== 0 && durationMs >= logMs) this.#lines.add(statement, entity)
    if (operationMs === null || durationMs < operationMs || entity === null) return
    const request = currentRequest()
    this.#recent.push({
      connector,
      entity,
      text: text ?? `${kind} ${table}`,
      endedAt: performance.now(),
      durationMs,
      request: request && new WeakRef(request)
    })
  }
}
