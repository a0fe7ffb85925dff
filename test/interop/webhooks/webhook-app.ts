/** An application with the journal and webhooks on a clock of the test, and what its deliveries came to. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import Fastify, { type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import type { AuditEvent } from 'svc-kernel'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import svcWebhooks, {
  DELIVERY_CHANNELS,
  type DeliveryChannel,
  type DeliveryEvent,
  type SvcWebhooksOptions,
  type WithSecret
} from 'svc-webhooks'
import { type WebhooksStore, webhooksStore } from 'svc-webhooks/stores'
import type { Test } from 'tap'

const KEY = Buffer.alloc(32, 7).toString('base64')

export interface WebhookAppParts {
  readonly options?: SvcWebhooksOptions
  readonly store?: WebhooksStore
  readonly clock?: ManualClock
}

export class WebhookApp {
  readonly fastify: FastifyInstance = Fastify()
  readonly clock: ManualClock
  readonly #counts = new Map<string, number>()
  #told: (() => void) | null = null

  private constructor(clock: ManualClock) {
    this.clock = clock
  }

  static async start(t: Test, parts: WebhookAppParts = {}): Promise<WebhookApp> {
    const { clock = new ManualClock(), options = {} } = parts
    const app = new WebhookApp(clock)
    const webhooks = parts.store ?? inMemory(webhooksStore, { clock })
    await app.fastify.register(svcAudit, { parts: { clock } })
    await app.fastify.register(svcWebhooks, {
      allowHttp: true,
      denyPrivateIps: false,
      encryptionKey: KEY,
      ...options,
      parts: { clock, stores: { webhooks } }
    })
    await app.fastify.ready()
    app.#listen(t)
    t.teardown(() => app.fastify.close())
    return app
  }

  async endpoint(url: string, events: readonly string[] = ['login.*']): Promise<{ id: string; secret: string }> {
    const { endpoint, secret }: WithSecret = await this.fastify.webhooks.create({ url, events })
    return { id: endpoint.id, secret }
  }

  /** Records failed logins, in one burst. */
  record(count = 1): void {
    const record = { category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' } as const
    for (let index = 0; index < count; index += 1) this.fastify.audit.record(record)
  }

  /** Events in the journal of one action. */
  recorded(action: string): AuditEvent[] {
    return this.fastify.audit.recent(10_000).filter((event) => event.action === action)
  }

  /** What was told on a channel so far. */
  count(name: DeliveryChannel): number {
    return this.#counts.get(DELIVERY_CHANNELS[name]) ?? 0
  }

  /** Resolves once so much was told on a channel. */
  async told(name: DeliveryChannel, count = 1): Promise<void> {
    while (this.count(name) < count) {
      await new Promise<void>((resolve) => {
        this.#told = resolve
      })
    }
  }

  #listen(t: Test): void {
    const take = (message: unknown, name: string | symbol) => {
      if ((message as DeliveryEvent).app !== this.fastify.server) return
      this.#counts.set(String(name), (this.#counts.get(String(name)) ?? 0) + 1)
      this.#told?.()
    }
    for (const name of Object.values(DELIVERY_CHANNELS)) {
      subscribe(name, take)
      t.teardown(() => unsubscribe(name, take))
    }
  }
}
