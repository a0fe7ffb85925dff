/** What an engine's error means, whichever engine raised it. */

export type FailureKind =
  /** The database cannot be reached, or broke off. */
  | 'unavailable'
  /** Another writer holds it for too long. */
  | 'busy'
  /** A statement took too long, and was cancelled. */
  | 'timeout'
  /** A transaction waited for its next statement for too long, and was undone. */
  | 'idle'
  /** There is no room left to write. */
  | 'full'
  /** Nothing can be written. */
  | 'read-only'
  /** The file is no database, or is damaged. */
  | 'damaged'
  /** Name, password, path or rights are wrong: no retry helps. */
  | 'misconfigured'
  /** Two transactions collided, and this one was undone. */
  | 'conflict'
  | 'unique'
  /** A reference names no row, or rows refer to one that is to go. */
  | 'reference'
  /** A column that takes no null was given none. */
  | 'null'
  /** A value beyond what a column can hold. */
  | 'value'

export interface Failure {
  readonly kind: FailureKind
  /** Of `unique`, `reference` and `null`: what refused the row, as far as the engine tells it. */
  readonly constraint: FailedConstraint | null
}

/** Both engines name the columns, PostgreSQL the index as well. */
export interface FailedConstraint {
  readonly table: string | null
  readonly name: string | null
  readonly columns: readonly string[]
}

export function failure(kind: FailureKind): Failure {
  return { kind, constraint: null }
}

/** Of the database rather than of a statement; the connection stays as it is. */
export function isOfDatabase(kind: FailureKind): boolean {
  return kind === 'busy' || kind === 'timeout' || kind === 'read-only' || kind === 'full' || kind === 'damaged'
}

/** What a unique index refused, inside the package: tables and stores answer with their own error. */
export class UniqueConflict extends Error {
  readonly constraint: FailedConstraint | null

  constructor(constraint: FailedConstraint | null) {
    super('a unique index refused the row')
    this.constraint = constraint
  }
}

/** What a foreign key refused, inside the package. */
export class ReferenceConflict extends Error {
  readonly constraint: FailedConstraint | null

  constructor(constraint: FailedConstraint | null) {
    super('a foreign key refused the row')
    this.constraint = constraint
  }
}
