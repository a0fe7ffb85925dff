/** A database that is not opened, as one that is migrated. */
import Fastify from 'fastify'
import type { Clock } from 'svc-kernel'
import { connectionTarget } from '../../src/connection/connection-target.ts'
import { DocumentConnection } from '../../src/connection/document-connection.ts'
import { DocumentDatabase } from '../../src/document-database.ts'

export function migrationTo(uri: string, clock: Clock) {
  const settings = { host: '', port: 0, database: 'svc', embedded: false, selectionTimeoutMs: 5000, maxPoolSize: 20 }
  const target = connectionTarget(settings, uri)
  const connection = new DocumentConnection({ name: 'svc', target, clock, log: Fastify().log, debug: false })
  return { connection, database: new DocumentDatabase(connection) }
}
