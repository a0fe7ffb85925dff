/**
 * The life of the dispatcher beside that of the application: it takes events once the
 * application is ready, takes no more when closing begins, and is over before stores close.
 */
import type { FastifyInstance } from 'fastify'
import type { Dispatcher } from '../dispatch/dispatcher.ts'

export function runDispatcher(fastify: FastifyInstance, dispatcher: Dispatcher): void {
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= dispatcher.close()
    return closing
  }
  fastify.addHook('onReady', async () => dispatcher.start())
  fastify.addHook('preClose', async () => {
    tell(fastify, dispatcher)
    // Not awaited: the requests under way are answered meanwhile.
    void close()
  })
  fastify.addHook('onClose', close)
}

function tell(fastify: FastifyInstance, dispatcher: Dispatcher): void {
  const { size, inFlight } = dispatcher.queue()
  if (size + inFlight === 0) return
  fastify.log.info(
    { plugin: 'svc-webhooks', inFlight, waiting: size },
    `webhook deliveries: draining ${inFlight}, giving up ${size} that wait`
  )
}
