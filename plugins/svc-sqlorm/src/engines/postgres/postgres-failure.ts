/** PostgreSQL's error codes, and what breaks on the way to it, sorted by what they mean to a caller. */
import { type FailedConstraint, type Failure, type FailureKind, failure } from '../failure.ts'

const KINDS: Readonly<Record<string, FailureKind>> = {
  '22001': 'value', // string_data_right_truncation
  '22003': 'value', // numeric_value_out_of_range
  '22008': 'value', // datetime_field_overflow
  '22021': 'value', // character_not_in_repertoire
  '22P02': 'value', // invalid_text_representation
  '22P05': 'value', // untranslatable_character
  '23514': 'value', // check_violation
  '25006': 'read-only', // read_only_sql_transaction
  '25P03': 'idle', // idle_in_transaction_session_timeout
  '3D000': 'misconfigured', // invalid_catalog_name
  '40001': 'conflict', // serialization_failure
  '40P01': 'conflict', // deadlock_detected
  '42501': 'misconfigured', // insufficient_privilege
  '53100': 'full', // disk_full
  '54000': 'value', // program_limit_exceeded, such as a text too long for its index
  '55P03': 'busy', // lock_not_available
  '57014': 'timeout' // query_canceled
}

/** By the first two characters: connection, resources, intervention, system, damage, authorisation. */
const CLASSES: Readonly<Record<string, FailureKind>> = {
  '08': 'unavailable',
  '28': 'misconfigured',
  '53': 'unavailable',
  '57': 'unavailable',
  '58': 'unavailable',
  XX: 'damaged'
}

const NETWORK = new Set([
  'EACCES',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // the folder of a Unix socket
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT'
])

/** What `pg` and its pool throw without a code. */
const BROKEN =
  /^Connection terminated|^Client has encountered a connection error|^Client was closed|^Query read timeout/
const WAITED = /^timeout exceeded when trying to connect/

export function postgresFailure(error: unknown): Failure | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  if (code === '23502') return { kind: 'null', constraint: constraintOf(error) }
  // foreign_key_violation; restrict_violation, of a key that was made by hand.
  if (code === '23503' || code === '23001') return { kind: 'reference', constraint: constraintOf(error) }
  if (code === '23505') return { kind: 'unique', constraint: constraintOf(error) }
  if (code !== null && NETWORK.has(code)) return failure('unavailable')
  if (code !== null && /^[0-9A-Z]{5}$/.test(code)) {
    const kind = KINDS[code] ?? CLASSES[code.slice(0, 2)]
    return kind === undefined ? null : failure(kind)
  }
  if (BROKEN.test(error.message)) return failure('unavailable')
  return WAITED.test(error.message) ? failure('busy') : null
}

/**
 * The columns of an index stand in the detail, in every language of the server:
 * `Key (slug, "siteId")=(a, b) already exists.` What it tells of values is left out.
 */
function constraintOf(error: Error): FailedConstraint {
  const { table, constraint, column, detail } = error as Error & Readonly<Record<string, unknown>>
  const listed = /^[^(]*\(([^()]+)\)=\(/.exec(typeof detail === 'string' ? detail : '')?.[1]
  const columns = listed?.split(', ').map((name) => name.replaceAll('"', '')) ?? []
  return {
    table: typeof table === 'string' ? table : null,
    name: typeof constraint === 'string' ? constraint : null,
    columns: typeof column === 'string' ? [column] : columns
  }
}
