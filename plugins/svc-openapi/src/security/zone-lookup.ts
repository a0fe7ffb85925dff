/** What the description reads of a firewall: `fastify.firewall`, where svc-security is registered. */
import type { FastifyInstance } from 'fastify'

export interface ZoneFacts {
  readonly authenticators: readonly string[]
  readonly mode: 'first' | 'all'
}

/** The zone of a full route template, or `null` outside of all. */
export type ZoneLookup = (template: string) => ZoneFacts | null

/** Without a firewall no route is in a zone. */
export function zoneLookup(fastify: FastifyInstance): ZoneLookup {
  if (!fastify.hasDecorator('firewall')) return () => null
  const firewall = fastify.getDecorator<{ zoneOf: ZoneLookup }>('firewall')
  return (template) => firewall.zoneOf(template)
}
