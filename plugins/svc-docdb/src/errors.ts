/** Every error svc-docdb raises beyond those of svc-orm. A code, once published, never changes. */
import { createError } from '@fastify/error'

/** Transactions need a replica set or a sharded cluster; nothing was written. */
export const ReplicaSetRequired = createError<[connector: string]>(
  'SVC_DOCDB_REPLICA_SET_REQUIRED',
  'replica set required: connector %s is a standalone server, which has no transactions',
  500,
  Error
)

/** A document over the 16 MB of the server, or nested deeper than it takes; nothing was written. */
export const DocumentTooLarge = createError<[entity: string]>(
  'SVC_DOCDB_TOO_LARGE',
  'a row of %s is larger than the database keeps',
  413,
  Error,
  false
)

const Full = createError<[connector: string]>(
  'SVC_DOCDB_FULL',
  'the database of connector %s has no room left to write',
  503,
  Error,
  false
)

/** 503: the database finds no room on its disk; nothing was written. Its connector logs when that begins and when it ends. */
export class DatabaseFull extends Full {
  readonly announced = true
}

/** A connector that the application does not have. */
export const UnknownConnection = createError<[name: string, known: string]>(
  'SVC_DOCDB_UNKNOWN_CONNECTION',
  'no document connection named "%s"; known: %s',
  500,
  TypeError
)

/** A paged listing of a collection whose native model was not compiled, and which so has no indexes. */
export const NativeModelRequired = createError<[collection: string]>(
  'SVC_DOCDB_NO_NATIVE_MODEL',
  'a page of %s needs its native model: without it the whole collection would be read',
  501,
  Error,
  false
)

/** A model that was not declared on the connector before it connected. */
export const UnknownModel = createError<[name: string]>(
  'SVC_DOCDB_UNKNOWN_MODEL',
  'no entity model registered under %s',
  500,
  TypeError
)
