/** Every error that starting the engine can raise. A code, once published, never changes. */
import { createError } from '@fastify/error'

/**
 * start: the embedded engine was asked to run in production. Fix: set `DOCDB_URI` to a MongoDB replica set.
 *
 * The engine has no authentication and one copy of the data: it is for development and tests.
 */
export const EngineRefusesProduction = createError(
  'SVC_ENGINE_PRODUCTION',
  'the embedded document engine is for development and tests; in production, set DOCDB_URI to a MongoDB replica set',
  500,
  TypeError
)

/** start: a host other than loopback was given. Fix: leave `host` out. */
export const EngineHostRefused = createError<[host: string]>(
  'SVC_ENGINE_HOST',
  'the embedded document engine listens on loopback only, not on %s; leave host out, or set it to 127.0.0.1',
  500,
  TypeError
)

/** start: an option is unknown, or its value is not one it takes. Fix: correct the option that the message names. */
export const EngineOptionsInvalid = createError<[problem: string]>(
  'SVC_ENGINE_OPTIONS',
  'the options of the embedded document engine are wrong: %s',
  500,
  TypeError
)

/**
 * start: the data file is held by another engine, is no data file, or is of another format. Fix: stop the other server,
 * or choose another file; commands of `svc` join the engine of a running server.
 */
export const EngineFileUnusable = createError<[file: string, cause: string]>(
  'SVC_ENGINE_FILE',
  'the data file %s of the embedded document engine cannot be used: %s',
  500
)

/** start: the port cannot be opened. Fix: choose another port, or 0 for a free one. */
export const EnginePortUnusable = createError<[port: string, cause: string]>(
  'SVC_ENGINE_PORT',
  'the embedded document engine cannot listen on port %s: %s',
  500
)
