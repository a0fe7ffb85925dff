/** Every error svc-orm can raise. A code, once published, never changes. */
import { createError } from '@fastify/error'

export {
  ConnectionUnavailable,
  ForeignTransaction,
  InvalidValue,
  NotNullViolation,
  TransactionConflict,
  TransactionOver,
  UniqueViolation
} from 'svc-stores'

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
