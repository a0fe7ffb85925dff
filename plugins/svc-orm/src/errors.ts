/** Every error svc-orm can raise. A code, once published, never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel'

export {
  ConnectionUnavailable,
  ForeignTransaction,
  InvalidValue,
  NotNullViolation,
  TransactionConflict,
  TransactionOver,
  UniqueViolation
} from 'svc-stores'

const UnknownField = createError<[field: string, entity: string, known: string]>(
  'SVC_ORM_UNKNOWN_FIELD',
  'no field "%s" on %s; known: %s',
  400,
  TypeError
)

/**
 * 400, thrown: a criterion or an order names a field that the entity does not have (`UnknownCriteriaField`). Fix: use
 * one of the fields that the message lists.
 *
 * Raised instead of finding nothing.
 */
export class UnknownCriteriaField extends UnknownField {
  /** As it was given, printable. */
  readonly field: string

  constructor(field: string, entity: string, known: string) {
    super(field, entity, known)
    this.name = 'UnknownCriteriaField'
    this.field = field
  }
}

/**
 * 400, thrown: a criterion is `undefined`, of another type than its field, or no operator that the field has. Fix:
 * correct it; see docs/guides/finding-rows.md.
 */
export const InvalidCriteria = createError<[at: string, expected: string]>(
  'SVC_ORM_CRITERIA',
  'criterion %s: expected %s',
  400,
  TypeError
)

/**
 * 400, thrown: a `limit`, an `offset`, an `order`, a `lock` or an `isolation` is malformed, or the option is unknown; a
 * lock is asked for outside a transaction, a level that the database does not have. Fix: correct it; see
 * docs/guides/locking-rows.md.
 */
export const InvalidFindOptions = createError<[option: string, expected: string]>(
  'SVC_ORM_OPTIONS',
  '%s: expected %s',
  400,
  TypeError
)

/** 400, thrown: `relations` names a relation that the entity does not have. Fix: use one that the message lists. */
export const UnknownRelation = createError<[relation: string, entity: string, known: string]>(
  'SVC_ORM_UNKNOWN_RELATION',
  'no relation "%s" on %s; known: %s',
  400,
  TypeError
)

/**
 * thrown: no entity of this name was declared for the connector. Fix: declare it with `@entities`, in a file that is
 * loaded.
 */
export const UnknownEntity = createError<[entity: string]>(
  'SVC_ORM_UNKNOWN_ENTITY',
  'no entity model registered under %s',
  500,
  TypeError
)

/** thrown: no connector of this name is registered. Fix: use one that the message lists. */
export const UnknownConnector = createError<[connector: string, known: string]>(
  'SVC_ORM_UNKNOWN_CONNECTOR',
  'no connector named "%s"; known: %s',
  500,
  TypeError
)

/** boot: two connectors have one name. Fix: rename one. */
export const DuplicateConnector = createError<[connector: string]>(
  'SVC_ORM_DUPLICATE_CONNECTOR',
  'a connector named "%s" is registered already',
  500,
  TypeError
)

/**
 * thrown: a connector was added after the application became ready. Fix: add it while plugins register.
 *
 * Entities have been handed out by then.
 */
export const LateConnector = createError<[connector: string]>(
  'SVC_ORM_LATE_CONNECTOR',
  'connector "%s" must be added before the application is ready',
  500,
  TypeError
)

/**
 * thrown: a repository was asked for before the application is ready. Fix: ask in `onReady`, or when a request comes.
 *
 * Entities may still be declared before.
 */
export const NotReady = createError(
  'SVC_ORM_NOT_READY',
  'repositories can be had once the application is ready',
  500,
  TypeError
)

/** 404: admin plane: there is no such entity. Fix: list them with `GET /svc/orm/api/entities`. */
export const NoSuchEntity = expectedError('SVC_ORM_NO_ENTITY', 'there is no such entity', 404)

/** 404: admin plane: there is no such connector. Fix: list them with `GET /svc/orm/api/orms`. */
export const NoSuchConnector = expectedError('SVC_ORM_NO_CONNECTOR', 'there is no such connector', 404)

/** 400: admin plane: the model is not exported in this format. Fix: use `dbml` or `jsonschema`. */
export const UnknownExportFormat = expectedError<[known: string]>('SVC_ORM_EXPORT_FORMAT', 'the format must be %s', 400)

/**
 * 403, thrown: a write of an entity that is laid over an existing table (`ReadOnlyEntity`). Fix: `existing.writable: true`,
 * where the application may write it.
 *
 * Raised before any statement.
 */
export const ReadOnlyEntity = createError<[entity: string]>(
  'SVC_ORM_READ_ONLY',
  '%s is laid over an existing table, and only read: existing.writable: true lets it be written',
  403
)

/** 404: admin plane: the rows of entities are not shown here. Fix: set `svc-orm.admin.rows`, and grant `ROLE_SVC_DATA`. */
export const RowsOff = expectedError('SVC_ORM_ROWS_OFF', 'the rows of entities are not shown here', 404)

/**
 * 409: the row was changed since the version that the change carries was read. Fix: read it again, and decide on what it
 * is now.
 */
export const VersionConflict = expectedError<[entity: string]>(
  'SVC_ORM_VERSION',
  '%s was changed meanwhile: read it again',
  409
)

/** 404: no row has the id that the request names (`crud`). Fix: check the id. */
export const RowNotFound = expectedError<[entity: string]>('SVC_ORM_NOT_FOUND', 'there is no %s with this id', 404)
