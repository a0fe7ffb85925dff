/** An application that does nothing but deliver webhooks: the real journal, the real plugin, endpoints in memory. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import Fastify from 'fastify'
import svcAudit from 'svc-audit'
import svcWebhooks, {
  DELIVERY_CHANNELS,
  type DeliveryEvent,
  type QueueState,
  type SvcWebhooksOptions
} from 'svc-webhooks'

/** Receivers are on this machine; the key seals nothing that lasts. */
export const BENCH_OPTIONS: SvcWebhooksOptions = {
  allowHttp: true,
  denyPrivateIps: false,
  store: 'memory',
  encryptionKey: Buffer.alloc(32, 7).toString('base64')
}

export class WebhookApp {
  readonly #fastify = Fastify()
  readonly #delivered = new Map<string, number>()
  readonly #count = (message: unknown) => {
    const { app, endpointId } = message as DeliveryEvent
    if (app === this.#fastify.server) this.#delivered.set(endpointId, (this.#delivered.get(endpointId) ?? 0) + 1)
  }

  static async start(options: SvcWebhooksOptions = {}): Promise<WebhookApp> {
    const app = new WebhookApp()
    await app.#fastify.register(svcAudit)
    await app.#fastify.register(svcWebhooks, { ...BENCH_OPTIONS, ...options })
    await app.#fastify.ready()
    subscribe(DELIVERY_CHANNELS.delivered, app.#count)
    return app
  }

  /** @returns the id of the endpoint */
  async add(url: string): Promise<string> {
    const { endpoint } = await this.#fastify.webhooks.create({ url, events: ['login.*'] })
    return endpoint.id
  }

  /** Records events, in one burst. */
  record(count: number): void {
    const record = { category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' } as const
    for (let index = 0; index < count; index += 1) this.#fastify.audit.record(record)
  }

  async queue(): Promise<QueueState> {
    const { queue } = await this.#fastify.webhooks.stats()
    return queue
  }

  /** Deliveries that have succeeded, to these endpoints or to all. */
  delivered(ids: readonly string[] = [...this.#delivered.keys()]): number {
    return ids.reduce((sum, id) => sum + (this.#delivered.get(id) ?? 0), 0)
  }

  async close(): Promise<void> {
    unsubscribe(DELIVERY_CHANNELS.delivered, this.#count)
    await this.#fastify.close()
  }
}
