/** Every error that starting the engine raises. A published code never changes. */
import { createError } from '@fastify/error'

/**
 * start: the embedded engine was started in production. Fix: set `DOCDB_URI` to a MongoDB replica set.
 *
 * The engine has no authentication and one copy of the data: it is for development and tests.
 */
export const EngineRefusesProduction = createError(
  'SVC_ENGINE_PRODUCTION',
  'the embedded document engine is for development and tests; in production, set DOCDB_URI to a MongoDB replica set',
  500,
  TypeError
)

/** start: `host` is not a loopback address. Fix: remove `host`. */
export const EngineHostRefused = createError<[host: string]>(
  'SVC_ENGINE_HOST',
  'the embedded document engine listens on loopback only, not on %s; leave host out, or set it to 127.0.0.1',
  500,
  TypeError
)

/** start: an option is unknown, or its value is not valid. Fix: correct the option in the message. */
export const EngineOptionsInvalid = createError<[problem: string]>(
  'SVC_ENGINE_OPTIONS',
  'the options of the embedded document engine are wrong: %s',
  500,
  TypeError
)

/**
 * start: the data file is locked by another engine, is not a data file, or has another format. Fix: stop the other
 * server, or choose another file; `npx svc` commands share the engine of a running server.
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
