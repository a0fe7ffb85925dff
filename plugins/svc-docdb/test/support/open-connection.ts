/** A connection of its own for a test, over the engine of the run. */
import Fastify from 'fastify'
import { type Clock, systemClock } from 'svc-kernel'
import type { Test } from 'tap'
import { connectionTarget } from '../../src/connection/connection-target.ts'
import { DocumentConnection } from '../../src/connection/document-connection.ts'

export interface ConnectionSetting {
  readonly uri: string
  readonly clock?: Clock
  readonly selectionTimeoutMs?: number
  /** Whether the client tells its commands. */
  readonly debug?: boolean
  /** Lines of the log. */
  readonly lines?: string[]
}

/** Not opened yet; closed at the end of the test. */
export function connectionTo(
  t: Test,
  { uri, clock = systemClock, selectionTimeoutMs = 5000, debug = false, lines = [] }: ConnectionSetting
): DocumentConnection {
  const settings = { host: '', port: 0, database: 'svc', embedded: false, selectionTimeoutMs, maxPoolSize: 20 }
  const { log } = Fastify({ logger: { stream: { write: (line: string) => lines.push(line) } } })
  const connection = new DocumentConnection({
    name: 'svc',
    target: connectionTarget(settings, uri),
    clock,
    log,
    debug
  })
  t.teardown(() => connection.close())
  return connection
}
