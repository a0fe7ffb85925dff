/** Opens a store where the application says. Without one there are no events, so its absence ends the boot. */
import type { FastifyInstance } from 'fastify'
import { BootError } from 'svc-kernel'
import type { StoreDefinition } from 'svc-stores'

/** @throws BootError SVC_EVENTS_NO_STORE, and as `fastify.stores.select` */
export function openStore<Store extends object>(
  { stores }: FastifyInstance,
  definition: StoreDefinition<Store>,
  configured: string
): Store {
  const { store } = stores.select(definition, configured)
  if (store !== null) return store
  throw new BootError([
    {
      code: 'SVC_EVENTS_NO_STORE',
      message: `${definition.brick} cannot be stored: no driver of this name is registered`,
      at: 'svc-events.store',
      got: configured,
      expected: 'auto | memory | a driver that comes before svc-events',
      fix: "register the driver before svc-events, or set store: 'auto'"
    }
  ])
}
