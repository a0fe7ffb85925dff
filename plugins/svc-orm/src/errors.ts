/** Every error that svc-orm raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

export {
  ConnectionUnavailable,
  ForeignTransaction,
  InvalidValue,
  NotNullViolation,
  ReferencedRow,
  ReferenceMissing,
  TransactionConflict,
  TransactionOver,
  TreeTooDeep,
  UniqueViolation
} from 'svc-stores'
export { Locked, LockInTransaction, LockLost } from './locks/errors.ts'

const UnknownField = createError<[field: string, entity: string, known: string]>(
  'SVC_ORM_UNKNOWN_FIELD',
  'no field "%s" on %s; known: %s',
  400,
  TypeError
)

/**
 * 400, thrown: a criterion or an order names a field that the entity does not have (`UnknownCriteriaField`). Fix: use
 * a field from the message.
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
 * 400, thrown: a criterion is `undefined`, has another type than its field, or uses an operator that the field does
 * not support. Fix: correct it; see docs/guides/finding-rows.md.
 */
export const InvalidCriteria = createError<[at: string, expected: string]>(
  'SVC_ORM_CRITERIA',
  'criterion %s: expected %s',
  400,
  TypeError
)

/**
 * 400, thrown: a `limit`, `offset`, `order`, `lock`, `isolation` or `retry` is malformed or unknown; a lock is used outside a
 * transaction; or the database does not support the isolation level. Fix: correct it; see
 * docs/guides/locking-rows.md.
 */
export const InvalidFindOptions = createError<[option: string, expected: string]>(
  'SVC_ORM_OPTIONS',
  '%s: expected %s',
  400,
  TypeError
)

/** 400, thrown: `relations` names a relation that the entity does not have. Fix: use a relation from the message. */
export const UnknownRelation = createError<[relation: string, entity: string, known: string]>(
  'SVC_ORM_UNKNOWN_RELATION',
  'no relation "%s" on %s; known: %s',
  400,
  TypeError
)

/** thrown: the connector has no entity with this name. Fix: declare it with `@entities`, in a file that is loaded. */
export const UnknownEntity = createError<[entity: string]>(
  'SVC_ORM_UNKNOWN_ENTITY',
  'no entity named "%s" is declared for this connector',
  500,
  TypeError
)

/** thrown: no connector has this name. Fix: use a name from the message. */
export const UnknownConnector = createError<[connector: string, known: string]>(
  'SVC_ORM_UNKNOWN_CONNECTOR',
  'no connector named "%s"; known: %s',
  500,
  TypeError
)

/** boot: two connectors have the same name. Fix: rename one. */
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
 * thrown: a repository was used before the application was ready. Fix: use it in `onReady`, or while handling a
 * request.
 *
 * Entities may still be declared before.
 */
export const NotReady = createError(
  'SVC_ORM_NOT_READY',
  'repositories are available once the application is ready',
  500,
  TypeError
)

/** 404: admin API: no entity has this name. Fix: list the entities with `GET /svc/orm/api/entities`. */
export const EntityNotFound = expectedError('SVC_ORM_NO_ENTITY', 'no entity has this name', 404)

/** 404: admin API: no connector has this name. Fix: list the connectors with `GET /svc/orm/api/orms`. */
export const ConnectorNotFound = expectedError('SVC_ORM_NO_CONNECTOR', 'no connector has this name', 404)

/** 400: admin API: the model cannot be exported in this format. Fix: use `dbml` or `jsonschema`. */
export const UnknownExportFormat = expectedError<[known: string]>('SVC_ORM_EXPORT_FORMAT', 'the format must be %s', 400)

/**
 * 403, thrown: the entity is mapped to an existing table and read-only (`ReadOnlyEntity`). Fix: set
 * `existing.writable: true`, if your application may write the table.
 *
 * Raised before any statement.
 */
export const ReadOnlyEntity = createError<[entity: string]>(
  'SVC_ORM_READ_ONLY',
  '%s maps an existing table and is read-only: set existing.writable: true to write it',
  403
)

/**
 * 400: admin API: a change of an entity with versions names none (`VersionRequired`). Fix: send the `version` of the row
 * that you read.
 */
export const VersionRequired = expectedError<[entity: string]>(
  'SVC_ORM_VERSION_REQUIRED',
  'a change of %s needs the version of the row that was read',
  400
)

/**
 * 409: admin API: an entity has required fields that administrators cannot write, because they are hidden or sealed
 * (`HiddenRequired`). Fix: create the row in the application, or give the field a default.
 */
export const HiddenRequired = expectedError<[entity: string, fields: string]>(
  'SVC_ORM_HIDDEN_REQUIRED',
  'a row of %s needs %s, which administrators cannot write',
  409
)

/** 404: admin API: showing rows is switched off. Fix: set `svc-orm.admin.rows`, and grant `ROLE_SVC_DATA`. */
export const RowsOff = expectedError('SVC_ORM_ROWS_OFF', 'showing rows is switched off', 404)

/** 409: the row has changed since the version that the change names. Fix: read the row again, and decide again. */
export const VersionConflict = expectedError<[entity: string]>(
  'SVC_ORM_VERSION',
  '%s has changed since you read it: read it again',
  409
)

/** What is wrong with one of several rows that a call writes. */
export interface RowProblem {
  /** Its place in the list of the call, from 0. */
  readonly index: number
  /** The code of the error that the row would have by itself. */
  readonly code: string
  readonly message: string
}

const RefusedRows = expectedError<[entity: string, number: string, problems: string]>(
  'SVC_ORM_ROWS',
  'no row of %s was written, because %s of them are refused: %s',
  400
)

/**
 * 400, 404 or 409: rows of `updateEach` or `upsertMany` are refused, and none was written (`RowsRefused`); `problems` has
 * the index, code and message of each. The status is that of the problems, or 400 if they differ. Fix: correct these rows.
 */
export class RowsRefused extends RefusedRows {
  /** By index. */
  readonly problems: readonly RowProblem[]

  constructor(entity: string, summary: string, problems: readonly RowProblem[], statusCode: number) {
    super(entity, String(problems.length), summary)
    this.name = 'RowsRefused'
    this.problems = Object.freeze([...problems])
    this.statusCode = statusCode
  }

  /** For the error body of a response. */
  get details(): readonly { readonly path: string; readonly message: string }[] {
    return this.problems.map(({ index, message }) => ({ path: `/${index}`, message }))
  }
}

/** 404: no row has the id in the request (`crud`). Fix: check the id. */
export const RowNotFound = expectedError<[entity: string]>('SVC_ORM_NOT_FOUND', 'there is no %s with this id', 404)

/** boot: the path of a route of `crud` names no row (`UnnamedRow`). Fix: end it with `/:id`, or with the fields of the key. */
export const UnnamedRow = createError<[url: string, entity: string, path: string]>(
  'SVC_ORM_ROUTE_PATH',
  "the path %s names no row of %s: end it with '%s'",
  500,
  TypeError
)

/** 409: a row of a tree would come below itself; nothing was written. Fix: choose a row that is not below it. */
export const TreeCycle = expectedError<[entity: string, field: string]>(
  'SVC_ORM_TREE_CYCLE',
  '%s.%s names the row itself or a row below it',
  409
)

/** 400, thrown: `descendants` or `ancestors` finds more than 10,000 rows. Fix: bound them with `maxDepth`, or page with `$within`. */
export const TreeTooLarge = createError<[most: string, entity: string]>(
  'SVC_ORM_TREE_SIZE',
  'more than %s rows of %s: bound them with maxDepth, or page through find with $within',
  400
)

/**
 * 503: rows of a searchable sealed field have no hash yet, so that a search would miss them. Fix: `npx svc orm:seal`.
 */
export const UnsealedRows = createError<[entity: string, field: string]>(
  'SVC_ORM_UNSEALED',
  'rows of %s are not searchable by %s yet: run npx svc orm:seal',
  503
)

/**
 * thrown: an entity with a scope was used where the context has no value of it, or one that is not text; no statement was
 * sent. Fix: run the work in `fastify.orm.withScope`, or answer the scope of a request in `parts.scopes`; see
 * docs/guides/row-scope.md.
 *
 * Raised instead of all rows.
 */
export const NoScope = createError<[of: string, scope: string, fix: string]>(
  'SVC_ORM_NO_SCOPE',
  '%s has no value of the scope "%s" here: %s',
  500,
  TypeError
)

/**
 * thrown: `withScope` was given another value than the context has. Fix: leave the scope first with
 * `fastify.orm.acrossScopes`.
 */
export const OtherScope = createError<[scope: string]>(
  'SVC_ORM_OTHER_SCOPE',
  'the context has another value of the scope "%s": enter a second one inside acrossScopes',
  500,
  TypeError
)

/**
 * thrown: code inside a scope asked for a native handle of a connector with scoped entities; its statements see the rows of
 * all scopes. Fix: ask for it inside `fastify.orm.acrossScopes`, or with the option `{ acrossScopes: true }`; see
 * docs/guides/native-queries.md.
 */
export const NativeInScope = createError<[handle: string, connector: string]>(
  'SVC_ORM_NATIVE_IN_SCOPE',
  '%s of connector %s sees the rows of all scopes: use it inside acrossScopes, or pass { acrossScopes: true }',
  500,
  TypeError
)
