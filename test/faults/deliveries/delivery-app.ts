/**
 * An instance that answers strictly and delivers durably, in a process of its own: each `POST /ring/:name` records one
 * event, and is answered when event and deliveries are stored. Its parent gives it storage and clock as JSON in the first
 * argument, and registers endpoints over IPC.
 */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import svcAudit from 'svc-audit'
import type { Clock } from 'svc-kernel'
import svcWebhooks from 'svc-webhooks'
import { storageDriver } from '../campaign/storage-driver.ts'
import type { InstanceNews } from '../instance-process.ts'
import { serveInstance } from '../serve-instance.ts'

export interface InstanceSettings {
  /** `sqlite:`, `postgres://` or `mongodb://`. */
  readonly storage: string
  /** Where BullMQ keeps the deliveries; absent: where the rest is. */
  readonly redis?: string
  /** How much faster time runs for deliveries, from this moment on (epoch ms), the same for all instances. */
  readonly fast: { readonly times: number; readonly since: number }
  /** How far its clock is off, ms. */
  readonly offMs: number
}

export type InstanceOrder =
  | { readonly do: 'register'; readonly url: string }
  | { readonly do: 'delete'; readonly id: string }

function fastClock({ fast: { times, since }, offMs }: InstanceSettings): Clock {
  return {
    now: () => since + (Date.now() - since) * times + offMs,
    setTimeout: (work, ms) => setTimeout(work, ms / times).unref(),
    clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout)
  }
}

const ring = fp(async (fastify: FastifyInstance) => {
  fastify.post<{ Params: { name: string } }>('/ring/:name', async ({ params }) => {
    const { name } = params
    fastify.audit.record({
      category: 'auth',
      action: 'login.failure',
      outcome: 'failure',
      actor: 'nobody',
      resource: name
    })
    return { rung: name }
  })
})

async function queueOn(url: string) {
  const [{ Redis }, { bullmqQueue }] = await Promise.all([import('ioredis'), import('svc-bullmq')])
  const connection = new Redis(url, { maxRetriesPerRequest: 0 })
  // Each call that fails is logged by whoever made it.
  connection.on('error', () => undefined)
  return bullmqQueue({ connection })
}

async function run(settings: InstanceSettings): Promise<void> {
  const webhooks = {
    queue: 'store',
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    allowHttp: true,
    denyPrivateIps: false,
    maxConcurrent: 4,
    autoDisableThreshold: 0,
    retryScheduleS: Array.from({ length: 90 }, () => 30),
    parts: {
      clock: fastClock(settings),
      ...(settings.redis === undefined ? {} : { queue: await queueOn(settings.redis) })
    }
  } as const
  const fastify = await serveInstance(import.meta.url, [
    await storageDriver(settings.storage),
    [svcAudit, { durability: 'strict' }],
    ring,
    [svcWebhooks, webhooks]
  ])
  const carryOut = async (order: InstanceOrder): Promise<string> => {
    if (order.do === 'register') {
      return (await fastify.webhooks.create({ url: order.url, events: ['login.*'] })).endpoint.id
    }
    await fastify.webhooks.remove(order.id)
    return order.id
  }
  process.on('message', async (order: InstanceOrder) => {
    report(
      await carryOut(order).then(
        (done) => ({ done }),
        (error: Error) => ({ failed: error.message })
      )
    )
  })
}

function report(news: InstanceNews): void {
  process.send?.(news)
}

const [, program, settings] = process.argv
if (settings !== undefined && import.meta.filename === program) await run(JSON.parse(settings) as InstanceSettings)
