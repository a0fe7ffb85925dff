/**
 * Statements that were compiled once: Kysely builds the text of each shape the
 * first time it is seen, and later calls bring their parameters only. The oldest
 * shape goes first, so that callers who vary theirs cannot fill the memory.
 */
import type { CompiledQuery, Kysely, RawBuilder } from 'kysely'
import type { SqlEngine } from '../engines/sql-engine.ts'

/** Fewer parameters than SQLite (32 766) and PostgreSQL (65 535) take, with room for what a statement says besides. */
export const MOST_PARAMETERS = 30_000

const KEPT = 500

/** Longer ones, of thousands of alternatives, seldom come again, and are large. */
const LONGEST = 10_000

export class CompiledStatements {
  readonly #compiler: Kysely<unknown>
  readonly #engine: SqlEngine
  readonly #compiled = new Map<string, CompiledQuery>()

  constructor(compiler: Kysely<unknown>, engine: SqlEngine) {
    this.#compiler = compiler
    this.#engine = engine
  }

  /** @param build called for a new shape; its parameters are placeholders */
  get(shape: string, build: () => RawBuilder<unknown>): CompiledQuery {
    return this.#compiled.get(shape) ?? this.#add(shape, build())
  }

  #add(shape: string, statement: RawBuilder<unknown>): CompiledQuery {
    const compiled = statement.compile(this.#compiler)
    if (shape.length > LONGEST) return compiled
    const [oldest] = this.#compiled.size < KEPT ? [] : this.#compiled.keys()
    if (oldest !== undefined) this.#compiled.delete(oldest)
    this.#compiled.set(shape, compiled)
    this.#engine.prepare(compiled.sql)
    return compiled
  }
}
