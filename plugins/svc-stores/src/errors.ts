/** Every error svc-stores can raise. A code, once published, never changes. Caller mistakes carry no stack. */
import { createError } from '@fastify/error'

/** 409: a unique field (identifier, id, secret hash, social account) is taken. One type on every driver. */
export const DuplicateRecord = createError<[brick: string, field: string]>(
  'SVC_STORE_DUPLICATE',
  'a %s record with this %s exists already',
  409,
  Error,
  false
)

/** 400: a record holds what no store can keep: a control NUL, half a character, NaN, a function, an oversized key. */
export const InvalidRecord = createError<[field: string, why: string]>(
  'SVC_STORE_RECORD',
  'the field "%s" cannot be stored: %s',
  400,
  Error,
  false
)

/** 400: sorting by a field outside the brick's list. Refused, never ignored. */
export const UnknownSortField = createError<[field: string, sortable: string]>(
  'SVC_STORE_SORT',
  'cannot sort by "%s"; sortable fields: %s',
  400,
  Error,
  false
)

/** 400: an unknown filter, or one whose value has the wrong type; `undefined` would widen the query. */
export const InvalidFilter = createError<[filter: string, expected: string]>(
  'SVC_STORE_FILTER',
  'the filter "%s" is not valid; expected %s',
  400,
  Error,
  false
)

/** 400: a page size, offset, direction or cursor that is malformed. */
export const InvalidPage = createError<[field: string, expected: string]>(
  'SVC_STORE_PAGE',
  'the page is not valid: %s must be %s',
  400,
  Error,
  false
)

/** A value that the field cannot hold; nothing was written. */
export const InvalidValue = createError<[field: string, expected: string]>(
  'SVC_ORM_VALUE',
  '%s: expected %s',
  400,
  TypeError
)

/** 409, thrown as `UniqueViolation`. */
const UniqueValues = createError<[entity: string, fields: string]>(
  'SVC_ORM_UNIQUE',
  'a row of %s with the same %s exists',
  409,
  Error,
  false
)

/** Another row holds the same values in a unique field or index. Carries names, never values. */
export class UniqueViolation extends UniqueValues {
  readonly entity: string
  /** Of the field, or of the fields of the index; empty where the database does not tell which. */
  readonly fields: readonly string[]

  constructor(entity: string, fields: readonly string[]) {
    super(entity, fields.join(', ') || 'values')
    this.name = 'UniqueViolation'
    this.entity = entity
    this.fields = Object.freeze([...fields])
  }

  /** For the error body of a response: what a form shows beside its fields. */
  get details(): readonly { readonly path: string; readonly message: string }[] {
    return this.fields.map((field) => ({ path: `/${field}`, message: 'is held by another row' }))
  }
}

/** 503, thrown as `NotNullViolation`. */
const ValueMissing = createError<[entity: string, field: string]>(
  'SVC_ORM_NOT_NULL',
  '%s.%s takes no null in the database; nothing was written',
  503,
  Error,
  false
)

/**
 * The database requires a value that the entity does not: its column is NOT NULL, and the field may be null or is no
 * field any more. Told at boot as drift of the schema; nothing a caller sends can mend it.
 */
export class NotNullViolation extends ValueMissing {
  readonly entity: string
  /** Of the column, where the entity has no such field. */
  readonly field: string

  constructor(entity: string, field: string) {
    super(entity, field)
    this.name = 'NotNullViolation'
    this.entity = entity
    this.field = field
  }
}

/** 503, thrown as `ConnectionUnavailable`. */
const Unreachable = createError<[connector: string]>(
  'SVC_ORM_UNAVAILABLE',
  'the database of connector %s cannot be reached at the moment',
  503,
  Error,
  false
)

/** The database cannot be reached; nothing was acknowledged. Its connector logs when that begins and when it ends. */
export class ConnectionUnavailable extends Unreachable {
  /** The log has it already: see `OutageLog` of svc-kernel. */
  readonly announced = true
}

/** A transaction of another connector. */
export const ForeignTransaction = createError<[given: string, own: string]>(
  'SVC_ORM_FOREIGN_TRANSACTION',
  'the transaction belongs to connector %s, the repository to %s',
  500,
  TypeError
)

/** A transaction, or a savepoint of one, that has ended. */
export const TransactionOver = createError(
  'SVC_ORM_TRANSACTION_OVER',
  'the transaction has ended; await every operation before its work resolves',
  500,
  TypeError
)

/** Another writer changed the same rows meanwhile; the transaction was undone and may be tried again. */
export const TransactionConflict = createError(
  'SVC_ORM_CONFLICT',
  'another change came first; the transaction was undone and may be tried again',
  409,
  Error,
  false
)
