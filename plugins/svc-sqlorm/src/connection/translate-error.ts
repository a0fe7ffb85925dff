/** An engine's error as callers get it: one type per meaning, on every engine. */
import { ConnectionUnavailable, InvalidValue, NotNullViolation, TransactionConflict } from 'svc-stores'
import type { Failure } from '../engines/failure.ts'
import { UniqueConflict } from '../engines/failure.ts'
import { DatabaseBusy, DatabaseDamaged, DatabaseFull, DatabaseReadOnly } from '../errors.ts'

/** @param cause kept for the log; its text never reaches a response */
export function translateError(failure: Failure, connector: string, cause: unknown): Error {
  const error = errorOf(failure, connector)
  // What a constraint refused names values of rows in its text: it stays out of the log.
  if (failure.constraint === null) error.cause = cause
  return error
}

function errorOf({ kind, constraint }: Failure, connector: string): Error {
  switch (kind) {
    case 'unavailable':
    case 'misconfigured':
      return new ConnectionUnavailable(connector)
    case 'busy':
      return new DatabaseBusy(connector)
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
