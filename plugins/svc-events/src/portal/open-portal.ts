/** Opens the portal, where the options ask for it: its tokens, and who is admitted to its routes. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { Organizations } from '../access/organizations.ts'
import type { EventsConfig } from '../options.ts'
import { openStore } from '../records/open-store.ts'
import { Portal } from './portal.ts'
import { admitPortal } from './portal-access.ts'
import { portalTokenStore } from './portal-tokens.ts'

interface OpenPortal {
  readonly config: EventsConfig
  readonly organizations: Organizations
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

const PURGE_INTERVAL_S = 600

/** Path of the portal's API, of which `path` is the page. */
export const portalApi = (path: string): string => `${path}/api`

/** @returns `null` where the portal is off @throws BootError where svc-security is missing */
export function openPortal(
  fastify: FastifyInstance,
  { config: { portal: config, store: configured }, organizations, clock, log }: OpenPortal
): Portal | null {
  if (config === undefined) return null
  const store = openStore(fastify, portalTokenStore, configured)
  const portal = new Portal({ config, store, organizations, clock, log })
  admitPortal(fastify, portalApi(config.path), portal, organizations)
  fastify.maintenance.declare({
    name: 'event-portal',
    store: portalTokenStore.brick,
    everyS: PURGE_INTERVAL_S,
    clock,
    work: () => store.purge()
  })
  return portal
}
