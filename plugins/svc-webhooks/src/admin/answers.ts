/** What the admin routes answer. An undeclared field never leaves. */
import {
  anyObject,
  flag,
  integer,
  integerOrNull,
  listOf,
  object,
  objectOrNull,
  text,
  textOrNull,
  texts
} from 'svc-kernel/schemas'

const time = { ...integer, description: 'epoch ms' } as const
const timeOrNull = { ...integerOrNull, description: 'epoch ms' } as const

const outcomes = {
  ...listOf(integer),
  description: 'per hour of the last 24 hours, oldest first, on this instance'
} as const

const always = {
  id: text,
  url: text,
  events: texts,
  enabled: flag,
  description: textOrNull,
  tenantId: textOrNull,
  createdBy: textOrNull,
  createdAt: time,
  updatedAt: time,
  lastDeliveryAt: timeOrNull,
  lastDeliveryStatus: integerOrNull,
  lastDeliveryError: textOrNull,
  failureCount: { ...integer, description: 'in a row' },
  degraded: {
    ...flag,
    description: 'enabled and not failing, but of at least 5 deliveries that ended within 24 hours, 10 % or more failed'
  },
  metadata: anyObject,
  dropped: integer,
  warnings: texts
} as const

/** Absent in a listing, and if they cannot be read. */
const sealed = {
  headers: { ...texts, description: 'names of its custom headers; their values are never shown' },
  previousSecretEndsAt: timeOrNull
} as const

export const endpoint = object(always, sealed)

/** Where webhooks are switched off, nothing says whether an endpoint exists. */
export const foundEndpoint = {
  anyOf: [endpoint, object({ enabled: { type: 'boolean', const: false, description: 'webhooks are switched off' } })]
} as const

const recent = {
  ...objectOrNull({ delivered: outcomes, failed: outcomes, meanMs: integer }),
  description: 'present with recent; null if no delivery ended within 24 hours'
} as const

export const listedEndpoint = object(always, { ...sealed, recent })

export const endpoints = object({
  enabled: flag,
  driver: textOrNull,
  endpoints: listOf(listedEndpoint),
  total: integer,
  limit: integer,
  offset: integer,
  hasNext: flag
})

export const withSecret = object({ endpoint, secret: text })
export const secret = object({ secret: text })
export const done = object({ ok: flag })

export const delivery = object({
  ts: time,
  messageId: text,
  type: text,
  attempt: integer,
  ok: flag,
  status: integerOrNull,
  error: textOrNull,
  durationMs: integer,
  outcome: text,
  requestBody: text,
  responseBody: textOrNull
})

const pending = {
  ...objectOrNull({
    waiting: { ...integer, description: 'waiting for an attempt' },
    sending: { ...integer, description: 'running, or about to' },
    nextAt: { ...integerOrNull, description: 'epoch ms of the next attempt; null if none, or if only the queue knows' },
    next: {
      ...listOf(
        object({
          messageId: textOrNull,
          eventId: text,
          type: text,
          attempts: { ...integer, description: 'failed attempts' },
          dueAt: timeOrNull
        })
      ),
      description: 'the next ones, at most 20'
    }
  }),
  description: 'deliveries that have not ended; null if that is unknown now. Only on the first page'
} as const

export const deliveries = object(
  { deliveries: listOf(delivery) },
  {
    enabled: { ...flag, description: 'false if webhooks are switched off; otherwise absent' },
    nextCursor: { ...textOrNull, description: 'null on the last page; absent if webhooks are switched off' },
    pending
  }
)

export const sent = object({ messageId: text })

export const recovery = object({
  id: text,
  state: text,
  total: integer,
  done: integer,
  failed: integer,
  error: textOrNull
})

export const stats = object({
  enabled: flag,
  total: integer,
  active: integer,
  disabled: integer,
  failing: integer,
  degraded: integer,
  queue: object(
    { size: integer, inFlight: integer, dropped: integer },
    {
      oldestS: {
        ...integerOrNull,
        description: 'age of the oldest delivery, in seconds; absent where deliveries wait in memory'
      }
    }
  )
})

export const eventTypes = object({
  enabled: flag,
  eventTypes: listOf(object({ type: text, category: text, outcomes: texts, description: text, deliverable: flag })),
  patterns: texts,
  signature: object({ version: text, algorithm: text, toleranceS: integer, headers: texts })
})
