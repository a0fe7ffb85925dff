/**
 * A bare Fastify with the plugin, listening on a free port. Callers name
 * themselves by header (`x-user: alice/ROLE_USER`), an engine of one line stands
 * for the jury, and a hook carries identities over as the firewall does.
 */
import Fastify, { type FastifyInstance } from 'fastify'
import {
  type AuditEvent,
  type AuditRecord,
  createAccessToken,
  ensureKernel,
  guardHooks,
  type Requirement
} from 'svc-kernel'
import { type LiveIdentity, openerOf } from 'svc-kernel/plugin'
import type { Test } from 'tap'
import svcRealtime, { type SvcRealtimeOptions, type SvcRealtimeParts } from '../../src/index.ts'

export interface RealtimeAppParts {
  options?: SvcRealtimeOptions & { parts?: SvcRealtimeParts }
  /** Declares routes, after the plugin. */
  routes?: (fastify: FastifyInstance) => void
  /** Registers before the plugin. */
  before?: (fastify: FastifyInstance) => void | Promise<void>
  /** What stands behind each socket of a named caller. */
  live?: () => LiveIdentity
  log?: { write(line: string): void }
}

export interface RealtimeApp {
  readonly fastify: FastifyInstance
  readonly records: AuditRecord[]
  /** What the journal tells those who subscribed to it. */
  readonly tell: (event: AuditEvent) => void
}

export async function realtimeApp(t: Test, parts: RealtimeAppParts = {}): Promise<RealtimeApp> {
  const fastify = Fastify({ logger: parts.log === undefined ? false : { level: 'info', stream: parts.log } })
  t.teardown(() => fastify.close())
  const records: AuditRecord[] = []
  const listeners = new Set<(event: AuditEvent) => void>()
  await ensureKernel(fastify)
  fastify.decorate('audit', {
    record: (event: AuditRecord) => void records.push(event),
    subscribe: (listener: (event: AuditEvent) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    recent: () => [],
    flushed: async () => undefined
  })
  fastify.accessGate.use({
    allows: (token, requirement) =>
      requirement.every((clause) => clause.some(({ attribute }) => token.user.roles.includes(attribute)))
  })
  fastify.addHook('onRequest', (request, _reply, done) => {
    const opener = openerOf(request)
    const named = request.headers['x-user'] as string | undefined
    if (opener !== null) {
      request.user = opener.user
      request.token = opener.token
    } else if (named !== undefined) {
      const [identifier = '', ...roles] = named.split('/')
      const token = createAccessToken({ type: 'session', user: { identifier, roles } })
      request.user = token.user
      request.token = token
      request.liveIdentity = parts.live?.() ?? null
    }
    done()
  })
  await parts.before?.(fastify)
  await fastify.register(svcRealtime, parts.options ?? {})
  parts.routes?.(fastify)
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  const tell = (event: AuditEvent) => {
    for (const listener of listeners) listener(event)
  }
  return { fastify, records, tell }
}

/** Route options of a route that sockets may call, guarded or not. */
export function invokable(...roles: string[]) {
  const requirement: Requirement = roles.map((attribute) => [{ attribute }])
  return { config: { realtime: true }, ...(roles.length === 0 ? {} : guardHooks(requirement)) }
}

export const ALICE = { 'x-user': 'alice/ROLE_USER' }
export const ADMIN = { 'x-user': 'root/ROLE_USER/ROLE_SVC_ADMIN' }
