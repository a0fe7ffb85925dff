/** Counters of the whole registry, and what there is to subscribe to. An undeclared field never leaves. */
import type { FastifyInstance } from 'fastify'
import { textUpTo } from 'svc-kernel/schemas'
import { InvalidFilter } from 'svc-stores'
import { type Catalogue, eventTypes } from '../endpoints/event-types.ts'
import type { Webhooks } from '../webhooks.ts'
import { described, readingRoute, WEBHOOKS_API } from './admin-route.ts'
import * as answers from './answers.ts'

const term = textUpTo(200)

const statsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    search: { ...term, description: 'part of the url or of the description' },
    q: { ...term, description: 'alias of search, as in the list of endpoints' }
  }
} as const

/** Forms of a subscription (spec, "Subscription patterns"). */
const PATTERNS = ['*', '<action>', '<prefix>.*']

/** The headers of a message that a receiver verifies it by. */
const MESSAGE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

export interface EventSettings {
  /** Absent where no journal says what it records. */
  readonly catalogue: () => Catalogue | undefined
  /** How old a message may be, in seconds, as receivers check it. */
  readonly toleranceS: number
  readonly algorithm: string
}

export function overviewRoutes(fastify: FastifyInstance, webhooks: Webhooks, events: EventSettings): void {
  fastify.get<{ Querystring: { q?: string; search?: string } }>(
    `${WEBHOOKS_API}/stats`,
    {
      ...readingRoute('stats', Object.keys(statsQuery.properties)),
      schema: described('Counts of endpoints and deliveries, for the search term', {
        querystring: statsQuery,
        response: { 200: answers.stats },
        errors: [InvalidFilter]
      })
    },
    async (request) => {
      const { q, search } = request.query
      if (q !== undefined && search !== undefined) throw new InvalidFilter('search', 'absent with q')
      const term = q ?? search
      return webhooks.stats(term === undefined ? {} : { q: term })
    }
  )

  fastify.get(
    `${WEBHOOKS_API}/event-types`,
    {
      ...readingRoute('event-types'),
      schema: described('Events to subscribe to, and how messages are signed', {
        response: { 200: answers.eventTypes }
      })
    },
    async () => ({
      enabled: webhooks.enabled,
      eventTypes: eventTypes(events.catalogue()),
      patterns: PATTERNS,
      signature: { version: 'v1', algorithm: events.algorithm, toleranceS: events.toleranceS, headers: MESSAGE_HEADERS }
    })
  )
}
