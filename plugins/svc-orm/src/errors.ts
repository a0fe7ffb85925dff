/** Every error svc-orm can raise. A code, once published, never changes. */
import { createError } from '@fastify/error'

/** 400, thrown as `UnknownCriteriaField`. */
const UnknownField = createError<[field: string, entity: string, known: string]>(
  'SVC_ORM_UNKNOWN_FIELD',
  'no field "%s" on %s; known: %s',
  400,
  TypeError
)

/** A criterion or an order names a field that the entity does not have: raised instead of finding nothing. */
export class UnknownCriteriaField extends UnknownField {
  /** As it was given, printable. */
  readonly field: string

  constructor(field: string, entity: string, known: string) {
    super(field, entity, known)
    this.name = 'UnknownCriteriaField'
    this.field = field
  }
}

/** A criterion that no field of this type can meet, or that would widen the query. */
export const InvalidCriteria = createError<[at: string, expected: string]>(
  'SVC_ORM_CRITERIA',
  'criterion %s: expected %s',
  400,
  TypeError
)

/** A bad `limit`, `offset` or `order`, or an option that does not exist. */
export const InvalidFindOptions = createError<[option: string, expected: string]>(
  'SVC_ORM_OPTIONS',
  '%s: expected %s',
  400,
  TypeError
)

export const UnknownRelation = createError<[relation: string, entity: string, known: string]>(
  'SVC_ORM_UNKNOWN_RELATION',
  'no relation "%s" on %s; known: %s',
  400,
  TypeError
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

export const UnknownEntity = createError<[entity: string]>(
  'SVC_ORM_UNKNOWN_ENTITY',
  'no entity model registered under %s',
  500,
  TypeError
)

export const UnknownConnector = createError<[connector: string, known: string]>(
  'SVC_ORM_UNKNOWN_CONNECTOR',
  'no connector named "%s"; known: %s',
  500,
  TypeError
)

export const DuplicateConnector = createError<[connector: string]>(
  'SVC_ORM_DUPLICATE_CONNECTOR',
  'a connector named "%s" is registered already',
  500,
  TypeError
)

/** Entities have been given out already: a connector registers before the application is ready. */
export const LateConnector = createError<[connector: string]>(
  'SVC_ORM_LATE_CONNECTOR',
  'connector "%s" must be added before the application is ready',
  500,
  TypeError
)

/** Repositories exist once the application is ready: entities may still be declared before. */
export const NotReady = createError(
  'SVC_ORM_NOT_READY',
  'repositories can be had once the application is ready',
  500,
  TypeError
)

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

/** 404 of the admin plane. */
export const NoSuchEntity = createError('SVC_ORM_NO_ENTITY', 'there is no such entity', 404, Error, false)

/** 404 of the admin plane. */
export const NoSuchConnector = createError('SVC_ORM_NO_CONNECTOR', 'there is no such connector', 404, Error, false)

/** 400 of the admin plane. */
export const UnknownExportFormat = createError<[known: string]>(
  'SVC_ORM_EXPORT_FORMAT',
  'the format must be %s',
  400,
  Error,
  false
)

/** 404 of a row that a request names, raised by `crud`. */
export const RowNotFound = createError<[entity: string]>(
  'SVC_ORM_NOT_FOUND',
  'there is no %s with this id',
  404,
  Error,
  false
)
