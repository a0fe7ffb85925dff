/** Opens a store of jobs where the application says. Without one there are no jobs, so its absence ends the boot. */
import type { FastifyInstance } from 'fastify'
import { BootError } from 'svc-kernel'
import type { StoreDefinition } from 'svc-stores'

/** @param configured as the option `store` @param ready of `parts` @throws BootError SVC_JOBS_NO_STORE, and as `fastify.stores.select` */
export function openStore<Store extends object>(
  { stores }: FastifyInstance,
  definition: StoreDefinition<Store>,
  configured: string,
  ready: Store | undefined
): { readonly store: Store; readonly driver: string | null } {
  const { store, driver } = stores.select(definition, configured, ready)
  if (store !== null) return { store, driver }
  throw new BootError([
    {
      code: 'SVC_JOBS_NO_STORE',
      message: `${definition.brick} cannot be stored: no driver of this name is registered`,
      at: 'svc-jobs.store',
      got: configured,
      expected: 'auto | memory | a driver that comes before svc-jobs',
      fix: "register the driver before svc-jobs, or set store: 'auto'"
    }
  ])
}
