/** Numbers of the whole registry, and what there is to subscribe to. */
import type { FastifyInstance } from 'fastify'
import { InvalidFilter } from 'svc-stores'
import { eventTypes, MESSAGE_HEADERS, PATTERNS } from '../description/event-types.ts'
import type { Catalogue } from '../registry/event-warnings.ts'
import type { Webhooks } from '../registry/webhooks.ts'
import { described, readingRoute, WEBHOOKS_API } from './admin-route.ts'
import { eventTypesAnswer, statsAnswer, statsQuery } from './overview-schemas.ts'

export interface EventSettings {
  /** Absent where no journal says what it records. */
  readonly catalogue: () => Catalogue | undefined
  /** How old a message may be, as receivers are told. */
  readonly toleranceS: number
  readonly algorithm: string
}

export function overviewRoutes(fastify: FastifyInstance, webhooks: Webhooks, events: EventSettings): void {
  fastify.get<{ Querystring: { q?: string; search?: string } }>(
    `${WEBHOOKS_API}/stats`,
    {
      ...readingRoute('stats', Object.keys(statsQuery.properties)),
      schema: described('Counters that follow the search term', {
        querystring: statsQuery,
        response: { 200: statsAnswer }
      })
    },
    async (request) => {
      const { q, search } = request.query
      if (q !== undefined && search !== undefined) throw new InvalidFilter('search', 'nothing where q is given')
      const term = q ?? search
      return webhooks.stats(term === undefined ? {} : { q: term })
    }
  )

  fastify.get(
    `${WEBHOOKS_API}/event-types`,
    {
      ...readingRoute('event-types'),
      schema: described('Events to subscribe to, and how messages are signed', { response: { 200: eventTypesAnswer } })
    },
    async () => ({
      enabled: webhooks.enabled,
      eventTypes: eventTypes(events.catalogue()),
      patterns: PATTERNS,
      signature: { version: 'v1', algorithm: events.algorithm, toleranceS: events.toleranceS, headers: MESSAGE_HEADERS }
    })
  )
}
