/** Every error svc-docdb raises beyond those of svc-orm. A code, once published, never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel'

/**
 * 500, thrown: a transaction was asked of a standalone server; nothing was written. Fix: use a replica set, also one of
 * a single member.
 */
export const ReplicaSetRequired = createError<[connector: string]>(
  'SVC_DOCDB_REPLICA_SET_REQUIRED',
  'replica set required: connector %s is a standalone server, which has no transactions',
  500,
  Error
)

/**
 * 413: a row is larger than the 16 MB that the server keeps, or nested too deep; nothing was written. Fix: keep large
 * content elsewhere.
 */
export const DocumentTooLarge = expectedError<[entity: string]>(
  'SVC_DOCDB_TOO_LARGE',
  'a row of %s is larger than the database keeps',
  413
)

const Full = expectedError<[connector: string]>(
  'SVC_DOCDB_FULL',
  'the database of connector %s has no room left to write',
  503
)

/**
 * 503: the disk of the database is full; nothing was written, and reads go on. Fix: make room; nothing has to be
 * restarted.
 *
 * The connector logs when that begins and ends.
 */
export class DatabaseFull extends Full {
  readonly announced = true
}

/**
 * 501: the database does not know how to answer this: the embedded engine computes over few kinds of values, and not every
 * server that speaks MongoDB's language speaks all of it. Fix: ask a MongoDB server, or compute in the application.
 */
export const NotSupported = expectedError<[connector: string]>(
  'SVC_DOCDB_NOT_SUPPORTED',
  'the database of connector %s does not know how to answer this',
  501
)

/** thrown: there is no connector of this name. Fix: use one that the message lists. */
export const UnknownConnection = createError<[name: string, known: string]>(
  'SVC_DOCDB_UNKNOWN_CONNECTION',
  'no document connection named "%s"; known: %s',
  500,
  TypeError
)

/**
 * 501: a page was asked of a collection without its native model, and so without indexes. Fix: `frameworkEntities:
 * true`, or leave the listing out.
 */
export const NativeModelRequired = expectedError<[collection: string]>(
  'SVC_DOCDB_NO_NATIVE_MODEL',
  'a page of %s needs its native model: without it the whole collection would be read',
  501
)

/**
 * 400, thrown: criteria on a relation are met by more rows than one command can name. Fix: narrow the criteria on the
 * relation; on SQL they have no such bound.
 */
export const TooManyRelated = createError<[record: string, most: string]>(
  'SVC_DOCDB_TOO_MANY_RELATED',
  'criteria on a relation are met by more rows of %s than %s',
  400
)

/**
 * thrown: no entity of this name was declared for the connector before it connected. Fix: declare it with `@entities`,
 * in a file that is loaded.
 */
export const UnknownModel = createError<[name: string]>(
  'SVC_DOCDB_UNKNOWN_MODEL',
  'no entity model registered under %s',
  500,
  TypeError
)
