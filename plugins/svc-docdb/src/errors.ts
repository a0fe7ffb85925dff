/** Every error that svc-docdb raises besides those of svc-orm. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/**
 * 500, thrown: the server is standalone and has no transactions; nothing was written. Fix: use a replica set; one
 * member is enough.
 */
export const ReplicaSetRequired = createError<[connector: string]>(
  'SVC_DOCDB_REPLICA_SET_REQUIRED',
  'replica set required: connector %s is a standalone server, which has no transactions',
  500,
  Error
)

/**
 * 413: a row exceeds the 16 MB limit of the server, or is nested too deeply; nothing was written. Fix: keep large
 * content elsewhere.
 */
export const DocumentTooLarge = expectedError<[entity: string]>(
  'SVC_DOCDB_TOO_LARGE',
  'a row of %s is larger than the database allows',
  413
)

const Full = expectedError<[connector: string]>(
  'SVC_DOCDB_FULL',
  'the disk of the database of connector %s is full; nothing was written',
  503
)

/**
 * 503: the disk of the database is full; nothing was written, and reads continue. Fix: free disk space; no restart is
 * needed.
 *
 * The connector logs when that begins and ends.
 */
export class DatabaseFull extends Full {
  readonly announced = true
}

/**
 * 501: the database does not support this operation: the embedded engine computes with few types of values, and some
 * servers support only a part of MongoDB. Fix: use a MongoDB server, or compute in your application.
 */
export const NotSupported = expectedError<[connector: string]>(
  'SVC_DOCDB_NOT_SUPPORTED',
  'the database of connector %s does not support this operation',
  501
)

/** thrown: no connector has this name. Fix: use a name from the message. */
export const UnknownConnection = createError<[name: string, known: string]>(
  'SVC_DOCDB_UNKNOWN_CONNECTION',
  'no document connection named "%s"; known: %s',
  500,
  TypeError
)

/**
 * 501: a page was requested from a collection without a native model, and so without indexes. Fix: set
 * `frameworkEntities: true`, or remove the listing.
 */
export const NativeModelRequired = expectedError<[collection: string]>(
  'SVC_DOCDB_NO_NATIVE_MODEL',
  'a page of %s needs its native model: without it, the query would read the whole collection',
  501
)

/**
 * 400, thrown: criteria on a relation match more rows than one command can name. Fix: narrow the criteria on the
 * relation; SQL databases have no such limit.
 */
export const TooManyRelated = createError<[record: string, most: string]>(
  'SVC_DOCDB_TOO_MANY_RELATED',
  'criteria on a relation match more than the allowed number of rows of %s: %s',
  400
)

/**
 * thrown: no entity with this name was declared before the connector opened. Fix: declare it with `@entities`, in a
 * file that is loaded.
 */
export const UnknownModel = createError<[name: string]>(
  'SVC_DOCDB_UNKNOWN_MODEL',
  'no entity named "%s" is declared for this connector',
  500,
  TypeError
)
