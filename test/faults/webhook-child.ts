/**
 * A server of its own process that delivers webhooks as its parent says: run with
 * the name of a driver, the time an attempt may take and the file of a database. It has a second more than
 * that to stop: when it takes longer, it ends with code 1.
 */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import svcAudit from 'svc-audit'
import { application, defineConfig, type ModuleEntry, serve } from 'svc-host'
import svcSqlorm from 'svc-sqlorm'
import svcWebhooks from 'svc-webhooks'
import { portOf } from '../support/ports.ts'

const [driver = 'memory', deadline = '1000', file = ''] = process.argv.slice(2)
const deliveryTimeoutMs = Number(deadline)

/** Modules that bring a driver, beside the memory store. */
const drivers: Readonly<Record<string, readonly ModuleEntry[]>> = {
  memory: [],
  sqlorm: [[svcSqlorm, { connectors: { default: { url: `sqlite:${file}` } } }]]
}

export type Order =
  | { readonly do: 'register'; readonly url: string }
  | { readonly do: 'record'; readonly count: number }
  /** The same, and answered once all of it is stored. */
  | { readonly do: 'store'; readonly count: number }

/** Closes after everything else, and tells what the deliveries came to. `/late/3` records three events as it stops. */
const report = fp(async (fastify: FastifyInstance) => {
  const stopping = new Promise<void>((resolve) => {
    fastify.addHook('preClose', async () => resolve())
  })
  fastify.get<{ Params: { count: number } }>('/late/:count', async ({ params }) => {
    process.send?.('asked')
    await stopping
    record(fastify, Number(params.count))
    return 'answered'
  })
  fastify.addHook('onClose', async () => {
    const { endpoints } = await fastify.webhooks.list()
    const deliveries = await Promise.all(endpoints.map(({ id }) => fastify.webhooks.deliveries(id)))
    process.send?.({ endpoints, deliveries: deliveries.flat() })
  })
})

const webhooks = {
  store: driver as 'memory',
  queue: 'auto' as const,
  allowHttp: true,
  denyPrivateIps: false,
  encryptionKey: Buffer.alloc(32, 7).toString('base64'),
  deliveryTimeoutMs
}

const config = defineConfig({
  name: 'deliveries',
  server: { port: 0, logger: { level: 'warn' }, closeGraceMs: deliveryTimeoutMs + 1000 },
  modules: [...(drivers[driver] ?? []), report, svcAudit, [svcWebhooks, webhooks]]
})
const fastify = await serve(application(config, import.meta.url))

process.on('message', async (order: Order) => {
  if (order.do === 'register') {
    const { endpoint, secret } = await fastify.webhooks.create({ url: order.url, events: ['login.*'] })
    process.send?.({ endpoint, secret })
    return
  }
  record(fastify, order.count)
  if (order.do === 'store') {
    await fastify.audit.flushed()
    process.send?.('stored')
  }
})
const { endpoints } = await fastify.webhooks.list()
process.send?.({ endpoints, port: portOf(fastify.server) })

function record({ audit }: FastifyInstance, count: number): void {
  const event = { category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' } as const
  for (let index = 0; index < count; index += 1) audit.record(event)
}
