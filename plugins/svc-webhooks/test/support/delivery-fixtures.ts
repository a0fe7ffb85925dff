/** What tests of deliveries need: a journal, a transport that does what it is told, logged lines, a dispatcher of all that. */
import type { FastifyBaseLogger } from 'fastify'
import type { AuditEvent, AuditPort, AuditRecord } from 'svc-kernel'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { Dispatcher, type DispatcherParts, type DispatchLimits } from '../../src/delivery/dispatcher.ts'
import type { AttemptResult, DeliveryRequest, Transport } from '../../src/delivery/transport/transport.ts'
import type { NewWebhook, WebhookRecord } from '../../src/endpoints/endpoint.ts'
import { createEndpointSecrets, type EndpointSecrets } from '../../src/endpoints/endpoint-secrets.ts'
import { type WebhooksStore, webhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { generateSecret } from '../../src/signature/sign-message.ts'

/** Lets everything that is ready run: promises, and what they begin. */
export async function settle(turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

export interface LogLine {
  readonly level: string
  readonly fields: Record<string, unknown>
  readonly text: string
}

export function listeningLog(): { log: FastifyBaseLogger; lines: LogLine[] } {
  const lines: LogLine[] = []
  const take = (level: string) => (fields: object, text: string) =>
    void lines.push({ level, fields: { ...fields }, text })
  const log = Object.fromEntries(['debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, take(level)]))
  return { log: log as unknown as FastifyBaseLogger, lines }
}

export class FakeJournal implements AuditPort {
  /** Of what can be recorded, where a test gives it. */
  catalogue: NonNullable<AuditPort['catalogue']> = new Map()
  readonly records: AuditRecord[] = []
  /** Events that a listener did not take. */
  refused = 0
  readonly #listeners = new Set<(event: AuditEvent) => unknown>()
  #count = 0

  get listeners(): number {
    return this.#listeners.size
  }

  record(record: AuditRecord): void {
    this.records.push(record)
    this.#count += 1
    const event = anEvent({ ...record, id: `aud_${this.#count}` })
    for (const listener of this.#listeners) if (listener(event) === false) this.refused += 1
  }

  subscribe(listener: (event: AuditEvent) => unknown): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  flushed(): Promise<void> {
    return Promise.resolve()
  }

  recent(): readonly AuditEvent[] {
    return []
  }
}

export function anEvent(given: Partial<AuditEvent> = {}): AuditEvent {
  return Object.freeze({
    id: 'aud_1',
    ts: Date.UTC(2026, 0, 1),
    category: 'auth',
    action: 'login.failure',
    outcome: 'failure',
    actor: 'alice',
    resource: null,
    reason: 'password',
    ip: '192.0.2.1',
    userAgent: null,
    requestId: 'req-1',
    metadata: {},
    ...given
  })
}

export const LOGIN: AuditRecord = { category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' }

export const answered = (status: number, responseBody = ''): AttemptResult => ({
  kind: 'answered',
  status,
  responseBody,
  durationMs: 7
})

export const refused: AttemptResult = { kind: 'failed', error: 'connection refused', durationMs: 3 }

/** Sends nothing. Answers at once, or when the test says so. */
export class FakeTransport implements Transport {
  readonly sent: DeliveryRequest[] = []
  /** What the next attempts give; `null` leaves them open until `finish`. */
  answer: ((request: DeliveryRequest) => AttemptResult) | null = () => answered(200)
  most = 0
  closed = 0
  readonly #open: { request: DeliveryRequest; resolve: (result: AttemptResult) => void }[] = []

  /** URLs of the attempts under way. */
  get open(): string[] {
    return this.#open.map(({ request }) => request.url)
  }

  send(request: DeliveryRequest): Promise<AttemptResult> {
    this.sent.push(request)
    const { answer } = this
    if (answer !== null) return Promise.resolve(answer(request))
    return new Promise((resolve) => {
      this.#open.push({ request, resolve })
      this.most = Math.max(this.most, this.#open.length)
    })
  }

  /** Ends the oldest attempts that are under way, of one endpoint or of all. */
  finish(result: AttemptResult, { count = Infinity, id = '' }: { count?: number; id?: string } = {}): void {
    const ended = this.#open.filter(({ request }) => request.url.endsWith(id)).slice(0, count)
    for (const attempt of ended) {
      this.#open.splice(this.#open.indexOf(attempt), 1)
      attempt.resolve(result)
    }
  }

  async close(): Promise<void> {
    this.closed += 1
    this.finish({ kind: 'failed', error: 'closed', durationMs: 0 })
  }
}

export const LIMITS: DispatchLimits = {
  maxRetries: 5,
  autoDisableThreshold: 20,
  deliveryTimeoutMs: 10_000,
  maxConcurrent: 8,
  maxQueue: 1000,
  snapshotTtlS: 30
}

export interface Fixture {
  readonly dispatcher: Dispatcher
  readonly store: WebhooksStore
  readonly secrets: EndpointSecrets
  readonly transport: FakeTransport
  readonly audit: FakeJournal
  readonly clock: ManualClock
  readonly lines: LogLine[]
}

/** A dispatcher that has not been started. */
export function aDispatcher(limits: Partial<DispatchLimits> = {}, parts: Partial<DispatcherParts> = {}): Fixture {
  const { log, lines } = listeningLog()
  const clock = new ManualClock()
  const store = parts.store ?? inMemory(webhooksStore, { clock })
  const secrets = parts.secrets ?? createEndpointSecrets(Buffer.alloc(32, 7))
  const transport = new FakeTransport()
  const audit = new FakeJournal()
  const all = { store, secrets, transport, audit, clock, log, app: {}, ...parts, limits: { ...LIMITS, ...limits } }
  return { dispatcher: new Dispatcher(all), store, secrets, transport, audit, clock, lines }
}

/** An endpoint in the store, for `*` unless told, with a secret of its own. */
export async function anEndpoint(
  { store, secrets }: Pick<Fixture, 'store' | 'secrets'>,
  given: Partial<NewWebhook> & { readonly secret?: string } = {}
): Promise<WebhookRecord> {
  const { secret = generateSecret(), ...fields } = given
  const id = fields.id ?? 'wh_1'
  return store.create({
    id,
    url: `https://receiver.example/${id}`,
    secretEnc: secrets.seal(secret),
    events: ['*'],
    enabled: true,
    description: null,
    tenantId: null,
    createdBy: null,
    metadata: {},
    ...fields
  })
}
