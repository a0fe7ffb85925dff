/** Every error that svc-stores raises. A published code never changes. Mistakes of the caller carry no stack. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/**
 * 409: the value of a unique field (identifier, id, secret hash, social account) is taken. Fix: choose another value.
 *
 * One type on every driver.
 */
export const DuplicateRecord = expectedError<[brick: string, field: string]>(
  'SVC_STORE_DUPLICATE',
  'a %s record with this %s exists already',
  409
)

/**
 * 400: a field holds a value that no store can keep: a NUL, a lone surrogate, NaN, an object instead of text, an
 * oversized key. Fix: correct the field in the message.
 */
export const InvalidRecord = expectedError<[field: string, why: string]>(
  'SVC_STORE_RECORD',
  'the field "%s" cannot be stored: %s',
  400
)

/**
 * 400: the request sorts by a field that is not sortable. Fix: use a field from the message.
 *
 * Refused, never ignored.
 */
export const UnknownSortField = expectedError<[field: string, sortable: string]>(
  'SVC_STORE_SORT',
  'cannot sort by "%s"; sortable fields: %s',
  400
)

/**
 * 400: a filter is unknown, or its value has the wrong type. Fix: correct the filter in the message.
 *
 * Refused, never ignored: `undefined` would widen the query.
 */
export const InvalidFilter = expectedError<[filter: string, expected: string]>(
  'SVC_STORE_FILTER',
  'the filter "%s" is not valid; expected %s',
  400
)

/**
 * 400: a limit, an offset, a direction or a cursor is malformed. Fix: correct it; a cursor is the `nextCursor` of the
 * previous page.
 */
export const InvalidPage = expectedError<[field: string, expected: string]>(
  'SVC_STORE_PAGE',
  'the page is not valid: %s must be %s',
  400
)

/**
 * 400, thrown: a field cannot hold the value, or a required field has no value; nothing was written. Fix: correct the
 * value.
 */
export const InvalidValue = createError<[field: string, expected: string]>(
  'SVC_ORM_VALUE',
  '%s: expected %s',
  400,
  TypeError
)

const UniqueValues = expectedError<[entity: string, fields: string]>(
  'SVC_ORM_UNIQUE',
  'another row of %s has the same %s',
  409
)

/**
 * 409: another row has the same values in a unique field or index (`UniqueViolation`, with `entity` and `fields`;
 * `details` of the answer name the fields). Fix: choose another value.
 *
 * Carries names, never values.
 */
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

const NoSuchRow = expectedError<[entity: string, field: string]>(
  'SVC_ORM_REFERENCE_MISSING',
  '%s.%s names a row that does not exist',
  400
)

/**
 * 400: a reference names a row that does not exist (`ReferenceMissing`, with `entity` and `field`; `details` of the answer
 * name the field). Fix: create that row first, or choose another one; see docs/guides/relations.md.
 *
 * Carries names, never values. A deferrable reference is checked at the commit.
 */
export class ReferenceMissing extends NoSuchRow {
  readonly entity: string
  readonly field: string

  constructor(entity: string, field: string) {
    super(entity, field)
    this.name = 'ReferenceMissing'
    this.entity = entity
    this.field = field
  }

  /** For the error body of a response: what a form shows beside its field. */
  get details(): readonly { readonly path: string; readonly message: string }[] {
    return [{ path: `/${this.field}`, message: 'names a row that does not exist' }]
  }
}

const InUse = expectedError<[entity: string, relation: string]>(
  'SVC_ORM_REFERENCED',
  'rows of %s refer to it in %s, so it cannot be deleted',
  409
)

/**
 * 409: other rows refer to the row that is to be deleted (`ReferencedRow`, with `entity` and `relation` of those rows).
 * Fix: delete or change those rows first, or declare `onDelete`; see docs/guides/relations.md.
 */
export class ReferencedRow extends InUse {
  /** The entity whose rows refer to it, and their relation. */
  readonly entity: string
  readonly relation: string

  constructor(entity: string, relation: string) {
    super(entity, relation)
    this.name = 'ReferencedRow'
    this.entity = entity
    this.relation = relation
  }
}

/**
 * 409: a row would be, or is, more than 100 levels below the root of its tree. Fix: choose another row above it; of rows that
 * other software wrote, correct them.
 */
export const TreeTooDeep = expectedError<[entity: string, most: string]>(
  'SVC_ORM_TREE_DEPTH',
  'a tree of %s has at most %s levels',
  409
)

const ValueMissing = expectedError<[entity: string, field: string]>(
  'SVC_ORM_NOT_NULL',
  '%s.%s is NOT NULL in the database; nothing was written',
  503
)

/**
 * 503: a NOT NULL column received no value, because its field is nullable or removed (`NotNullViolation`, with
 * `entity` and `field`). Fix: read the warnings of the boot; change the column, or the field.
 *
 * Reported at boot as drift of the schema; nothing a caller sends can mend it.
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

const Unreachable = expectedError<[connector: string]>(
  'SVC_ORM_UNAVAILABLE',
  'the database of connector %s cannot be reached at the moment',
  503
)

/**
 * 503: the database cannot be reached; nothing was acknowledged. Fix: wait; the connection recovers by itself.
 *
 * The connector logs when the outage begins and ends.
 */
export class ConnectionUnavailable extends Unreachable {
  /** The log has it already: see `OutageLog` of svc-kernel. */
  readonly announced = true
}

/** thrown: a transaction was passed to a repository of another connector. Fix: open one transaction per connector. */
export const ForeignTransaction = createError<[given: string, own: string]>(
  'SVC_ORM_FOREIGN_TRANSACTION',
  'the transaction belongs to connector %s, the repository to %s',
  500,
  TypeError
)

/**
 * thrown: a store cannot join the transaction: another database keeps it, or your application provides it under
 * `parts`. Fix: keep both on one connector; nothing was written.
 */
export const StoreOutsideTransaction = createError<[brick: string, kept: string, connector: string]>(
  'SVC_STORE_TRANSACTION',
  'the %s store is kept by %s and cannot join a transaction of connector %s',
  500,
  TypeError
)

/** thrown: an operation started after its transaction had ended. Fix: await every operation inside the transaction. */
export const TransactionOver = createError(
  'SVC_ORM_TRANSACTION_OVER',
  'the transaction has ended; await every operation before its work resolves',
  500,
  TypeError
)

/** 409: concurrent changes won every retry; the transaction was rolled back. Fix: try again. */
export const TransactionConflict = expectedError(
  'SVC_ORM_CONFLICT',
  'concurrent changes won; the transaction was rolled back and can be tried again',
  409
)
