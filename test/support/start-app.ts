/** An application as its author writes it, config and modules, listening on a free port; closed with the test. */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import svcDecorators, { type ControllerClass } from 'svc-decorators'
import { application, createServer, defineConfig, type ModuleEntry, type ServerConfig } from 'svc-host'
import type { AuditPort, AuditRecord, Mode } from 'svc-kernel'
import svcSecurity, { type SvcSecurityOptions, type SvcSecurityParts } from 'svc-security'
import type { Test } from 'tap'
import { type LogLine, logLines } from './log-lines.ts'
import { portOf } from './ports.ts'

export interface AppParts {
  /** Options of svc-security; `false` leaves the plugin out. */
  security?: (SvcSecurityOptions & { parts?: SvcSecurityParts }) | false
  controllers?: readonly ControllerClass[]
  /** Registered after svc-security and before the controllers. */
  modules?: readonly ModuleEntry[]
  server?: ServerConfig
  /** Default `production`. */
  mode?: Mode
  /** Replaces the journal that keeps `records`. */
  record?: (event: AuditRecord) => unknown
  /** Registered first, in place of that journal. */
  before?: readonly ModuleEntry[]
}

export interface StartedApp {
  readonly fastify: FastifyInstance
  readonly port: number
  readonly lines: LogLine[]
  /** What went to the audit port. */
  readonly records: AuditRecord[]
}

/** @throws what the boot throws; nothing listens then */
export async function startApp(t: Test, parts: AppParts = {}): Promise<StartedApp> {
  const { security = {}, controllers = [], modules = [], server = {}, mode = 'production' } = parts
  const { lines, logger } = logLines()
  const records: AuditRecord[] = []
  const record = parts.record ?? ((event: AuditRecord) => records.push(event))
  const config = defineConfig({
    name: 'interop',
    mode,
    server: { logger, ...server },
    modules: [
      ...(parts.before ?? [journal(record)]),
      ...(security === false ? [] : ([[svcSecurity, security]] satisfies ModuleEntry[])),
      ...modules,
      ...(controllers.length === 0 ? [] : ([[svcDecorators, { controllers }]] satisfies ModuleEntry[]))
    ]
  })
  const fastify = await createServer(application(config, import.meta.url))
  t.teardown(() => fastify.close())
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  return { fastify, port: portOf(fastify.server), lines, records }
}

/** An audit journal of one function. */
function journal(record: (event: AuditRecord) => unknown): ModuleEntry {
  return fp(async (fastify: FastifyInstance) => {
    fastify.decorate('audit', {
      record,
      subscribe: () => () => undefined,
      recent: () => [],
      flushed: async () => undefined
    } as AuditPort)
  })
}
