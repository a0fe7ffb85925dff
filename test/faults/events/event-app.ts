/**
 * An instance that emits events of two organisations, in a process of its own. `POST /emit/:organization/:title` stores a
 * ticket and its event in one transaction, and is answered when both are stored. The parent gives storage, clock and the
 * address of the receiver as JSON in the first argument.
 */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import svcEvents, { defineEvents } from 'svc-events'
import svcOrm, { defineEntity } from 'svc-orm'
import svcStores from 'svc-stores'
import { storageDriver } from '../campaign/storage-driver.ts'
import { fastClock, type JobAppSettings } from '../jobs/job-app.ts'
import { serveInstance } from '../serve-instance.ts'

export interface EventAppSettings extends Pick<JobAppSettings, 'storage' | 'fast' | 'offMs' | 'referee'> {
  /** Its address before the name of an organisation. */
  readonly receiver: string
}

export const ORGANIZATIONS = ['acme', 'globex'] as const

const Ticket = defineEntity({ name: 'Ticket', schema: { title: { type: 'string' } } })

const events = defineEvents({
  'ticket.created': {
    data: {
      type: 'object',
      required: ['title', 'of'],
      properties: { title: { type: 'string' }, of: { type: 'string' } }
    },
    version: 1
  }
})

function desk({ receiver }: EventAppSettings) {
  return fp(async (fastify: FastifyInstance) => {
    const { orm } = fastify
    fastify.post<{ Params: { of: string; title: string } }>('/emit/:of/:title', async ({ params: { of, title } }) => {
      return orm.transaction(async (tx) => {
        await orm.repository(Ticket).withTransaction(tx).create({ title })
        return fastify.events.within(tx).emit('ticket.created', { title, of }, { organization: of })
      })
    })
    fastify.post('/endpoints', async () => {
      for (const of of ORGANIZATIONS) {
        await fastify.events.endpoints(of).create({ url: `${receiver}/${of}`, events: ['*'] })
      }
    })
  })
}

async function run(settings: EventAppSettings): Promise<void> {
  const clock = fastClock(settings)
  await serveInstance(import.meta.url, [
    [svcOrm, { parts: { entities: [Ticket] } }],
    [svcStores, { parts: { clock } }],
    await storageDriver(settings.storage),
    [
      svcEvents,
      {
        events,
        routes: false,
        encryptionKey: Buffer.alloc(32, 7).toString('base64'),
        allowHttp: true,
        denyPrivateIps: false,
        autoDisableThreshold: 0,
        deliveryTimeoutMs: 100_000,
        parts: { clock }
      }
    ],
    desk(settings)
  ])
}

const [, program, settings] = process.argv
if (settings !== undefined && import.meta.filename === program) await run(JSON.parse(settings) as EventAppSettings)
