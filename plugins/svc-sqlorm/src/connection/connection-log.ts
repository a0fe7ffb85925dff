/** What is logged of a connection: what became of it, and what was added to its schema. Free of credentials. */
import type { FastifyBaseLogger } from 'fastify'
import type { Problem } from 'svc-kernel'
import { warnOfDrift } from 'svc-orm/driver'
import type { SchemaPlan, SchemaStep } from '../schema/plan-schema.ts'
import { differencesOf } from '../schema/plan-schema.ts'

export interface ConnectionLogParts {
  readonly log: FastifyBaseLogger
  /** Of the connector. */
  readonly name: string
  /** Without credentials. */
  readonly target: string
  /** Of the application. */
  readonly bootWarnings: Problem[]
}

export class ConnectionLog {
  readonly #log: FastifyBaseLogger
  readonly #bootWarnings: Problem[]
  readonly #facts: { readonly connector: string; readonly target: string }

  constructor({ log, name, target, bootWarnings }: ConnectionLogParts) {
    this.#log = log
    this.#bootWarnings = bootWarnings
    this.#facts = { connector: name, target }
  }

  connected(version: string | null): void {
    this.#log.info({ ...this.#facts, version }, `the database of connector ${this.#facts.connector} is connected`)
  }

  /** It was not there when it was to be opened. An ERROR the first time; what follows is the same outage. */
  notThere(reason: string, retryMs: number, isFirst: boolean): void {
    const fields = { code: 'SVC_SQLORM_UNREACHABLE', ...this.#facts, reason, retryMs }
    const { connector } = this.#facts
    this.#log[isFirst ? 'error' : 'debug'](
      fields,
      `the database of connector ${connector} is not there; requests that need it get 503 meanwhile`
    )
  }

  gone(reason: string): void {
    const fields = { code: 'SVC_SQLORM_UNREACHABLE', ...this.#facts, reason }
    const { connector } = this.#facts
    this.#log.error(
      fields,
      `the database of connector ${connector} is gone; requests that need it get 503 until it is back`
    )
  }

  /** What was added line by line, indexes in one; then one report of all that does not fit, a line with its fix per difference. */
  schema(plan: SchemaPlan): void {
    const { steps } = plan
    const indexes = steps.filter(({ kind }) => kind === 'index').length
    for (const step of steps) this.#log[indexes > 1 && step.kind === 'index' ? 'debug' : 'info'](describe(step))
    if (indexes > 1) this.#log.info(`created ${indexes} indexes`)
    for (const { table, columns, method } of plan.unindexed) {
      const message = `${table} (${columns.join(', ')}): this database has no ${method} index, so criteria on it read every row`
      this.#log.info({ code: 'SVC_SQLORM_METHOD', ...this.#facts }, message)
    }
    warnOfDrift(differencesOf(plan), { log: this.#log, bootWarnings: this.#bootWarnings }, this.#facts)
  }
}

function describe(step: SchemaStep): string {
  if (step.kind === 'table') return `created table ${step.table.name} (${step.table.columns.length} columns)`
  if (step.kind === 'column') return `added column ${step.table}.${step.column.name}`
  return `created index ${step.name}`
}
