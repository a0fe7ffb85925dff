/**
 * The life of the dispatcher beside that of the application: it takes events once the
 * application is ready, takes no more when closing begins, and is over before stores close.
 * Whether there is a journal is asked when all plugins are there, in whatever order they came.
 */
import type { FastifyInstance } from 'fastify'
import type { Dispatcher } from '../dispatch/dispatcher.ts'

export function runDispatcher(fastify: FastifyInstance, dispatcher: Dispatcher): void {
  const log = fastify.log.child({ plugin: 'svc-webhooks' })
  fastify.addHook('onReady', async () => {
    if (fastify.hasDecorator('audit')) await dispatcher.start()
    else log.info('svc-audit is not registered: webhook endpoints are kept, and nothing is delivered')
  })
  fastify.addHook('preClose', async () => {
    const { size, inFlight } = dispatcher.queue()
    if (size + inFlight > 0) {
      const text = `webhook deliveries: draining ${inFlight}, giving up ${size} that wait`
      log.info({ inFlight, waiting: size }, text)
    }
    // Not awaited: the requests under way are answered meanwhile, and what they record is counted.
    dispatcher.drain()
  })
  fastify.addHook('onClose', async () => dispatcher.close())
}
