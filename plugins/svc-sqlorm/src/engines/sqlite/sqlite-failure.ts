/** SQLite's result codes, sorted by what they mean to a caller (sqlite.org/rescode.html). */
import { type FailedConstraint, type Failure, type FailureKind, failure } from '../failure.ts'
import { looseReferenceOf } from './loose-reference.ts'
import { WriteLockTimeout } from './write-lock.ts'

const BUSY = 5

/** By primary result code. */
const KINDS: ReadonlyMap<number, FailureKind> = new Map([
  [3, 'misconfigured'], // PERM
  [BUSY, 'busy'],
  [6, 'busy'], // LOCKED
  [8, 'read-only'],
  [10, 'unavailable'], // IOERR
  [11, 'damaged'], // CORRUPT
  [13, 'full'], // FULL
  [14, 'misconfigured'], // CANTOPEN
  [26, 'damaged'] // NOTADB
])

/** IOERR_SHMSIZE: on a full disk the file that processes share cannot grow. */
const NO_SHARED_MEMORY = 4874

const UNIQUE = 2067
const PRIMARY_KEY = 1555
const FOREIGN_KEY = 787
const NOT_NULL = 1299
const CHECK = 275
const DATATYPE = 3091

export function sqliteFailure(error: unknown): Failure | null {
  if (error instanceof WriteLockTimeout) return failure('busy')
  const code = resultCode(error)
  if (code === null) return isFolderError(error) ? failure('misconfigured') : null
  if (code === UNIQUE || code === PRIMARY_KEY) return { kind: 'unique', constraint: constraintOf(error) }
  if (code === FOREIGN_KEY) return { kind: 'reference', constraint: looseReferenceOf(error) }
  if (code === NOT_NULL) return { kind: 'null', constraint: constraintOf(error) }
  if (code === CHECK || code === DATATYPE) return failure('value')
  const kind = code === NO_SHARED_MEMORY ? 'full' : KINDS.get(code & 0xff)
  return kind === undefined ? null : failure(kind)
}

export function isReferenceFailure(error: unknown): boolean {
  return resultCode(error) === FOREIGN_KEY
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code !== null && (code & 0xff) === BUSY
}

function resultCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
}

/** The folder of the file cannot be made. */
function isFolderError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'mkdir'
}

/** `UNIQUE constraint failed: article.slug, article.site`: names with a dot or a comma are never declared. */
function constraintOf(error: unknown): FailedConstraint | null {
  const names = /constraint failed: (.+)$/.exec(error instanceof Error ? error.message : '')?.[1]?.split(', ')
  if (names === undefined) return null
  const table = names[0]?.split('.')[0] ?? null
  return { table, name: null, columns: names.map((name) => name.slice(name.indexOf('.') + 1)) }
}
