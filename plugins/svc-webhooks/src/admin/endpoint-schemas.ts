/** Queries and bodies of the admin routes. */
import { flag, object, textUpTo } from 'svc-kernel/schemas'
import { MAX_URL } from '../endpoints/endpoint.ts'
import { LONGEST_OVERLAP_S } from '../endpoints/endpoint-credentials.ts'
import { MAX_HEADER_VALUE, MAX_HEADERS } from '../endpoints/endpoint-headers.ts'
import { EVENT_PATTERN } from '../endpoints/event-types.ts'

/** More than any endpoint needs. */
const MAX_EVENTS = 100

const order = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'field:ASC or field:DESC, several separated by commas'
} as const

export const listQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: { type: 'integer', default: 50, description: 'clamped to 1 to 200' },
    offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
    order,
    sort: { ...order, description: 'alias of order' },
    enabled: flag,
    event: { type: 'string', minLength: 1, maxLength: 200, description: 'a pattern in the events of the endpoint' },
    failing: flag,
    degraded: flag,
    recent: { ...flag, default: false, description: 'adds the outcomes of the last 24 hours to each endpoint' },
    q: { type: 'string', minLength: 1, maxLength: 200, description: 'part of the url or of the description' }
  }
} as const

export const idParams = object({ id: textUpTo(200) })

/** A body that holds nothing; it may be left out. */
export const noBody = { type: ['object', 'null'], additionalProperties: false } as const

/** It may be left out. */
export const rotateBody = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    overlapS: {
      type: 'integer',
      minimum: 0,
      maximum: LONGEST_OVERLAP_S,
      description: 'how long the old secret also signs, in seconds; default 0'
    }
  }
} as const

const fields = {
  url: { type: 'string', minLength: 1, maxLength: MAX_URL },
  events: {
    type: 'array',
    minItems: 1,
    maxItems: MAX_EVENTS,
    uniqueItems: true,
    items: {
      type: 'string',
      maxLength: 200,
      pattern: EVENT_PATTERN,
      description: '*, an action, or prefix.*'
    }
  },
  description: { type: ['string', 'null'], maxLength: 1000 },
  enabled: flag,
  metadata: { type: 'object', maxProperties: 100, description: 'data of your application; never put a secret here' },
  headers: {
    type: 'object',
    maxProperties: MAX_HEADERS,
    additionalProperties: { type: 'string', minLength: 1, maxLength: MAX_HEADER_VALUE },
    description: 'sent with every message, such as authorization; stored encrypted, and never shown again'
  }
} as const

export const createBody = {
  type: 'object',
  required: ['url', 'events'],
  additionalProperties: false,
  properties: fields
} as const

export const patchBody = { type: 'object', minProperties: 1, additionalProperties: false, properties: fields } as const
