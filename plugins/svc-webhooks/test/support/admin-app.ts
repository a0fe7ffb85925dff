/** The plugin on a bare Fastify whose callers hold the roles of a header, with a journal that keeps what it is told. */
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { type AuditEvent, type AuditPort, type AuditRecord, createAccessToken, type Mode } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import svcWebhooks, { type SvcWebhooksOptions, type SvcWebhooksParts } from '../../src/index.ts'
import type { Lookup } from '../../src/ssrf/lookup.ts'

export const API = '/svc/security/api/webhooks'

export const KEY = Buffer.alloc(32, 7).toString('base64')

type Given = SvcWebhooksOptions & { parts?: SvcWebhooksParts }

export interface AdminAppParts {
  readonly options?: Given
  readonly mode?: Mode
  /** Registered before the plugin. */
  readonly before?: (fastify: FastifyInstance) => void
  /** `false` leaves the key out. */
  readonly keyed?: boolean
  /** `false` leaves the journal out. */
  readonly audit?: boolean
}

/** A journal as small as it can be; it tells its listeners, and keeps a catalogue of a few actions. */
export class FakeAudit implements AuditPort {
  readonly records: AuditRecord[] = []
  readonly listeners = new Set<(event: AuditEvent) => void>()
  readonly catalogue = new Map([
    ['login.failure', { category: 'auth', outcomes: ['failure'], when: 'a login was refused' }],
    ['login.success', { category: 'auth', outcomes: ['success'], when: 'a person logged in' }],
    ['webhook.created', { category: 'webhook', outcomes: ['success'], when: 'an endpoint was registered' }],
    ['webhook.test', { category: 'webhook', outcomes: ['success'], when: 'a test message was sent' }]
  ] as const)

  record(record: AuditRecord): void {
    this.records.push(record)
  }

  subscribe(listener: (event: AuditEvent) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  flushed(): Promise<void> {
    return Promise.resolve()
  }

  recent(): readonly AuditEvent[] {
    return []
  }
}

/** Every name is public, but `inside.example` and names that nobody has. */
export const lookup: Lookup = async (host) => {
  if (host === 'inside.example') return [{ address: '10.0.0.1', family: 4 }]
  if (host.endsWith('.invalid')) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  return [{ address: '192.31.196.1', family: 4 }]
}

export async function adminApp(
  t: Test,
  { options = {}, mode = 'test', before, keyed = true, audit = true }: AdminAppParts = {}
) {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  const fastify = Fastify({ logger: { level: 'info', stream } })
  t.teardown(() => fastify.close())
  const journal = new FakeAudit()
  fastify.decorate('appHost', { name: 'app', root: '/', mode, checkOnly: false, importModule: async () => ({}) })
  if (audit) fastify.decorate('audit', journal)
  before?.(fastify)
  const clock = new ManualClock()
  await fastify.register(svcWebhooks, {
    ...(keyed ? { encryptionKey: KEY } : {}),
    ...options,
    parts: { clock, lookup, ...options.parts }
  })
  fastify.addHook('onRequest', async (request) => {
    const roles = request.headers['x-roles']
    if (typeof roles !== 'string') return
    request.user = { identifier: 'root', roles: roles.split(',') }
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: roles.split(',') } })
  })
  return { fastify, clock, journal, lines, call: caller(fastify) }
}

export function letIn(fastify: FastifyInstance): void {
  fastify.accessGate.use({
    allows: (token, requirement) =>
      requirement.every((clause) => clause.some(({ attribute }) => token.user.roles.includes(attribute)))
  })
}

/** Asks as an administrator. */
function caller(fastify: FastifyInstance) {
  return async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD',
    path = '',
    body?: object,
    more: InjectOptions = {}
  ) => {
    const answer = await fastify.inject({
      method,
      url: `${API}${path}`,
      ...(body === undefined ? {} : { payload: body }),
      ...more,
      headers: { 'x-roles': 'ROLE_SVC_ADMIN', ...more.headers }
    })
    return { status: answer.statusCode, headers: answer.headers, body: read(answer.body), text: answer.body }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, compared field by field
function read(text: string): any {
  return text === '' ? null : JSON.parse(text)
}

/** An application that lets administrators in. */
export async function openApp(t: Test, parts: AdminAppParts = {}) {
  const app = await adminApp(t, parts)
  letIn(app.fastify)
  return app
}
