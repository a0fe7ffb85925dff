/** An application with svc-docdb on the engine of the run. */
import Fastify, { type FastifyInstance } from 'fastify'
import type { Mode } from 'svc-kernel'
import svcOrm, { type EntitySource, type SvcOrmOptions } from 'svc-orm'
import type { Test } from 'tap'
import svcDocdb, { type SvcDocdbOptions, type SvcDocdbParts } from '../../src/index.ts'

export interface ApplicationSetting {
  readonly options?: SvcDocdbOptions
  /** Options of svc-orm. */
  readonly orm?: SvcOrmOptions
  readonly parts?: SvcDocdbParts
  readonly entities?: readonly EntitySource[]
  readonly mode?: Mode
  readonly checkOnly?: boolean
  /** Lines of the log. */
  readonly lines?: string[]
  readonly root?: string
  /** Registers what the application has before svc plugins. */
  readonly before?: (fastify: FastifyInstance) => Promise<void>
}

/** Registered, not ready. Closed at the end of the test. */
export async function application(t: Test, setting: ApplicationSetting): Promise<FastifyInstance> {
  const {
    options = {},
    orm = {},
    parts = {},
    entities = [],
    mode = 'test',
    checkOnly = false,
    lines = [],
    root = '/'
  } = setting
  const fastify = Fastify({ logger: { level: 'debug', stream: { write: (line: string) => lines.push(line) } } })
  t.teardown(() => fastify.close())
  fastify.decorate('appHost', { name: 'shop', root, mode, checkOnly, importModule: async () => ({}) })
  await setting.before?.(fastify)
  await fastify.register(svcOrm, { ...orm, parts: { entities } })
  await fastify.register(svcDocdb, { ...options, parts })
  return fastify
}
