/** Prepared statements of one SQLite connection, by their text. The least recently used one goes first. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

export interface Prepared {
  readonly statement: StatementSync
  /** It answers rows: a `select`, or anything with `returning`. */
  readonly answers: boolean
  /** Of the values of a row, which come as a list: Node makes it in less time than an object. `null`: rows come as objects. */
  readonly names: readonly string[] | null
}

const KEPT = 512

/** A longer text, of thousands of alternatives, seldom comes again. */
const LONGEST = 100_000

export class StatementCache {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()
  #newest = ''

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known === undefined) return this.#add(sql)
    if (sql !== this.#newest) {
      this.#prepared.delete(sql)
      this.#prepared.set(sql, known)
      this.#newest = sql
    }
    return known
  }

  #add(sql: string): Prepared {
    const statement = this.#database.prepare(sql)
    const names = statement.columns().map(({ name }) => name)
    const isListed = names.length > 0 && hasOwnNames(sql) && !names.includes('__proto__')
    if (isListed) statement.setReturnArrays(true)
    const prepared: Prepared = { statement, answers: names.length > 0, names: isListed ? names : null }
    if (sql.length > LONGEST) return prepared
    const [oldest] = this.#prepared.size < KEPT ? [] : this.#prepared.keys()
    if (oldest !== undefined) this.#prepared.delete(oldest)
    this.#prepared.set(sql, prepared)
    this.#newest = sql
    return prepared
  }
}

/** What `*` names changes with the table, while the statement is kept. */
function hasOwnNames(sql: string): boolean {
  return !sql.replaceAll('count(*)', '').includes('*')
}
