/** An engine's error as callers get it, one type per meaning, on every engine; and as a problem of the boot. */
import type { Problem } from 'svc-kernel'
import { ConnectionUnavailable, InvalidValue, NotNullViolation, TransactionConflict } from 'svc-stores'
import { type Failure, type FailureKind, ReferenceConflict, UniqueConflict } from '../engines/failure.ts'
import {
  DatabaseBusy,
  DatabaseDamaged,
  DatabaseFull,
  DatabaseReadOnly,
  StatementTimeout,
  TransactionTimeout
} from '../errors.ts'

/** @param cause kept for the log; its text never reaches a response */
export function translateError(failure: Failure, connector: string, cause: unknown): Error {
  const error = errorOf(failure, connector)
  // What a constraint refused names values of rows in its text: it stays out of the log.
  if (failure.constraint === null && failure.kind !== 'reference') error.cause = cause
  return error
}

function errorOf({ kind, constraint }: Failure, connector: string): Error {
  switch (kind) {
    case 'unavailable':
    case 'misconfigured':
      return new ConnectionUnavailable(connector)
    case 'busy':
      return new DatabaseBusy(connector)
    case 'timeout':
      return new StatementTimeout(connector)
    case 'idle':
      return new TransactionTimeout(connector)
    case 'full':
      return new DatabaseFull(connector)
    case 'read-only':
      return new DatabaseReadOnly(connector)
    case 'damaged':
      return new DatabaseDamaged(connector)
    case 'conflict':
      return new TransactionConflict()
    case 'value':
      return new InvalidValue('the row', 'values that its columns can hold')
    case 'null':
      return new NotNullViolation(constraint?.table ?? 'a table', constraint?.columns[0] ?? 'a column')
    case 'unique':
      return new UniqueConflict(constraint)
    case 'reference':
      return new ReferenceConflict(constraint)
  }
}

/** What went wrong, without names, values and places: a kind, and a code where there is one. */
export function reasonOf({ kind }: Failure, error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const detail = error instanceof Error && 'errcode' in error ? `SQLite ${String(error.errcode)}` : code
  return detail === '' ? kind : `${kind} (${detail})`
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export interface OpenFacts {
  readonly connector: string
  readonly kind: FailureKind
  /** The engine's own words. */
  readonly detail: string
  /** Without credentials. */
  readonly target: string
}

/** Why a connector cannot be opened at all. @returns `null` where time may help: the application then starts, and answers 503 until the database is there */
export function openProblem({ connector, kind, detail, target }: OpenFacts): Problem | null {
  const problem = OPEN_PROBLEMS[kind]?.(connector)
  if (problem === undefined) return null
  const at = `svc-sqlorm.connectors.${connector}.url`
  return { ...problem, at, got: `${target}: ${detail}`, more: 'npx svc docs svc-sqlorm' }
}

const OPEN_PROBLEMS: Partial<Record<FailureKind, (connector: string) => Problem>> = {
  damaged: (connector) => ({
    code: 'SVC_SQLORM_DAMAGED',
    message: `the database of connector ${connector} is damaged, or no database`,
    fix: 'restore it from a backup, or name another file'
  }),
  misconfigured: (connector) => ({
    code: 'SVC_SQLORM_OPEN',
    message: `the database of connector ${connector} refuses to be opened`,
    fix: 'check path, name, password and rights'
  }),
  unique: (connector) => ({
    code: 'SVC_SQLORM_DUPLICATES',
    message: `rows of connector ${connector} contradict a unique index that is to be made`,
    fix: 'remove the rows that hold the same values'
  })
}
