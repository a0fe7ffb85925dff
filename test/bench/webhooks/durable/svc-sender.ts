/** Ours: an application with the journal in memory, its deliveries and their history in the store. */
import Fastify, { type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcOrm from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import svcWebhooks from 'svc-webhooks'
import { BENCH_OPTIONS } from '../webhook-app.ts'
import { BATCH, ENDPOINTS, type Sender, type SenderSettings, SLOTS } from './sender.ts'

/** @param debug gets every statement of the store */
export async function durableApp(storage: string, debug?: (sql: string) => void): Promise<FastifyInstance> {
  const stream = { write: (line: string) => debug?.(String(JSON.parse(line).msg)) }
  const fastify = Fastify(debug === undefined ? {} : { logger: { level: 'debug', stream } })
  await fastify.register(svcOrm)
  await fastify.register(svcSqlorm, { connectors: { default: { url: storage } }, debug: debug !== undefined })
  await fastify.register(svcAudit, { store: 'memory' })
  await fastify.register(svcWebhooks, {
    ...BENCH_OPTIONS,
    store: 'auto',
    queue: 'store',
    maxConcurrent: SLOTS
  })
  await fastify.ready()
  return fastify
}

export async function svcSender({ storage, receiver }: SenderSettings, isFirst: boolean): Promise<Sender> {
  const fastify = await durableApp(storage)
  if (isFirst) {
    const endpoint = { url: `${receiver}/in`, events: ['login.*'] }
    for (let index = 0; index < ENDPOINTS; index += 1) await fastify.webhooks.create(endpoint)
  }
  return {
    async admit(deliveries) {
      for (let left = deliveries / ENDPOINTS; left > 0; left -= BATCH / ENDPOINTS) {
        for (let index = 0; index < Math.min(left, BATCH / ENDPOINTS); index += 1) {
          fastify.audit.record({ category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' })
        }
        await fastify.audit.flushed()
      }
    },
    close: () => fastify.close()
  }
}
