/** What the routes of svc-ops answer. An undeclared field never leaves. */
import {
  anyObject,
  flag,
  integer,
  integerOrNull,
  listOf,
  mapOf,
  number,
  numberOrNull,
  object,
  objectOrNull,
  text,
  textOrNull
} from 'svc-kernel/schemas'

const time = { ...integer, description: 'epoch ms' } as const
const bytes = { ...integer, description: 'bytes' } as const

export const health = object({ status: { enum: ['ok', 'degraded', 'failing'] } })

const counted = {
  count: integer,
  failures: integer,
  p50: { ...numberOrNull, description: 'ms; null without a request' },
  p95: numberOrNull,
  p99: numberOrNull
} as const

export const rates = object({ minutes: listOf(object({ at: time, ...counted })), total: object(counted) })

const eventLoop = object({ p50Ms: number, p99Ms: number, maxMs: number, utilization: number })
const queues = listOf(object({ name: text, depth: integer }))

export const history = object({
  samples: listOf(object({ at: time, eventLoop, memory: object({ rss: bytes, heapUsed: bytes }), queues }))
})

export const system = object({
  name: text,
  mode: text,
  instance: { ...objectOrNull({ id: text, name: text }), description: 'the one that answers' },
  pid: integer,
  versions: object({ node: text, fastify: text }),
  startedAt: time,
  uptimeS: integer,
  cpuS: object({ user: number, system: number }),
  memory: object({ rss: bytes, heapUsed: bytes, heapTotal: bytes, external: bytes }),
  eventLoop,
  health: listOf(object({ name: text, healthy: flag, degraded: flag })),
  queues,
  modules: listOf(object({ name: text, version: textOrNull }, { options: anyObject })),
  logLevel: { ...textOrNull, description: 'null if the logger has none' }
})

export const instances = object({
  self: { ...text, description: 'id of the instance that answers' },
  shared: { ...flag, description: 'false if instances cannot find each other: their store is in memory' },
  instances: listOf(
    object({
      id: text,
      name: text,
      pid: integer,
      startedAt: time,
      at: { ...time, description: 'epoch ms of its last heartbeat, by its own clock' },
      state: { enum: ['serving', 'leaving', 'silent', 'unconfirmed'] },
      silentMs: { ...integer, description: 'since its heartbeat moved, by the clock of the instance that answers' },
      clockOffMs: { ...integer, description: 'how far its clock is ahead, at least; 0 within a second' },
      figures: object({
        requests: { ...integer, description: 'of the last five minutes, as all figures' },
        failures: integer,
        p95Ms: numberOrNull,
        busy: { ...number, description: 'of its event loop, 0 to 1' },
        rss: bytes,
        waiting: { ...integer, description: 'jobs in its queues' }
      })
    })
  )
})

export const logLevel = object({ level: text, before: text })

const common = {
  seq: { ...integer, description: 'counts up in one process' },
  id: text,
  at: time,
  durationMs: number,
  method: text,
  route: textOrNull,
  url: text,
  handler: textOrNull,
  status: integer,
  error: textOrNull,
  user: textOrNull,
  tokenType: textOrNull
} as const

export const requests = object({
  items: listOf(
    object({
      ...common,
      zone: textOrNull,
      authenticator: textOrNull,
      statements: integer,
      events: integer,
      deliveries: integer,
      messages: integer
    })
  ),
  limit: integer,
  nextCursor: integerOrNull,
  instance: { ...textOrNull, description: 'name of the instance that answers, whose requests these are' }
})

const moment = { ...numberOrNull, description: 'ms from the first byte' } as const
/** Of what took some time: when it ended. */
const timed = { at: { ...number, description: 'when it ended, ms from the first byte' }, durationMs: number } as const

export const wholeRequest = object({
  ...common,
  failure: {
    ...objectOrNull({ name: text, message: text, stack: text }),
    description: 'what was thrown, if the answer was 500 or above'
  },
  ip: text,
  headers: mapOf(text),
  phases: object({ admitted: moment, guarded: moment, parsed: moment, validated: moment, handled: moment }),
  admission: objectOrNull({
    zone: text,
    authenticator: textOrNull,
    outcome: text,
    tokenType: textOrNull,
    reason: textOrNull,
    ...timed
  }),
  decisions: listOf(
    object({
      attribute: text,
      subject: textOrNull,
      granted: flag,
      reason: textOrNull,
      ...timed,
      votes: listOf(object({ voter: text, vote: text, ...timed }, { reason: text }))
    })
  ),
  calls: listOf(
    object({
      kind: { enum: ['operation', 'repository'] },
      name: text,
      plan: { ...textOrNull, description: 'what was asked of the table, without values; null for a method' },
      ...timed,
      failed: flag,
      afterwards: flag
    })
  ),
  statements: listOf(
    object({
      connector: text,
      kind: text,
      table: textOrNull,
      text: { ...textOrNull, description: 'without values' },
      at: moment,
      durationMs: number,
      failed: flag,
      afterwards: flag
    })
  ),
  events: listOf(object({ id: text, action: text, afterwards: flag })),
  deliveries: listOf(
    object({
      endpointId: text,
      eventId: text,
      afterwards: flag,
      messageId: textOrNull,
      state: text,
      attempts: integer,
      status: integerOrNull
    })
  ),
  messages: listOf(object({ channel: text, afterwards: flag, count: integer })),
  omitted: integer
})
