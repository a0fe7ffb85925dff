/** What an operator may set. Live objects come under `parts`, see `SvcWebhooksParts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import { storeOption } from 'svc-stores/options'
import type { DurableQueue } from './delivery/durable/durable-queue.ts'
import type { WebhooksStore } from './endpoints/endpoint-store.ts'
import type { HistoryStore } from './history/history-store.ts'
import type { Lookup } from './ssrf/lookup.ts'

const count = (minimum: number, fallback: number, maximum: number) =>
  ({ type: 'integer', minimum, maximum, default: fallback }) as const

/** A month, and what a person reads. */
export const HISTORY_BOUNDS = { maxAgeS: 2_592_000, maxPerEndpoint: 1000 } as const

const secretKey = { type: 'string', minLength: 1 } as const

export const optionsSchema = {
  $id: 'svc-webhooks/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** `false` switches everything off: reads answer empty, changes 503. */
    enabled: { type: 'boolean', default: true },
    /** Where endpoints are kept. */
    store: storeOption,
    /**
     * Where deliveries wait. `memory`: bounded, best effort, over with the process. `store`: a table beside the endpoints,
     * which outlives the process and which instances share. `auto`: `store` where a database keeps the endpoints.
     */
    queue: { enum: ['memory', 'store', 'auto'], default: 'memory' },
    /** Of a queue that outlives the process: seconds before each retry, spread by up to a tenth; it replaces `maxRetries`. */
    retryScheduleS: {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 604_800 },
      maxItems: 100,
      default: [5, 10, 20, 40, 80, 300, 1800, 7200, 18_000, 36_000, 36_000]
    },
    /** 32 bytes, base64: seals the secrets at rest. A list while the key is replaced: the first seals, each opens. Without it production has no webhooks; elsewhere a key of the process is used. */
    encryptionKey: { anyOf: [secretKey, { type: 'array', minItems: 1, items: secretKey }] },
    /** The only algorithm there is. */
    signAlg: { enum: ['sha256'], default: 'sha256' },
    /**
     * How old a message may be, in seconds; the sender never applies it, receivers read it from
     * `GET webhooks/event-types` and the API description.
     */
    timestampToleranceS: count(1, 300, 86_400),
    /** Attempts after the first, 5, 10, 20, ... seconds apart, at most 300, of deliveries that wait in memory. */
    maxRetries: count(0, 5, 100),
    /** Failed deliveries in a row that disable an endpoint; 0 never does. */
    autoDisableThreshold: count(0, 20, 1_000_000),
    /** How long one attempt may take, from name resolution to the end of the answer, in milliseconds. */
    deliveryTimeoutMs: count(1, 10_000, 600_000),
    /**
     * Attempts at the same time. An endpoint that answers holds at most half of them, all when it is quick and the only
     * one, a quarter when it fails.
     */
    maxConcurrent: count(1, 8, 1000),
    /**
     * Deliveries that may wait, run or be due for a retry; more are dropped, with a log line. Of a queue that outlives
     * the process: how many this instance takes at a time; nothing is dropped for it.
     */
    maxQueue: count(1, 1000, 1_000_000),
    /** Of a queue that outlives the process: what one endpoint gets from one instance at most, test messages aside. */
    endpointLimits: {
      type: 'object',
      additionalProperties: false,
      properties: {
        /** Attempts at the same time. */
        maxConcurrent: { type: 'integer', minimum: 1, maximum: 1000 },
        /** Attempts begun within any second. */
        maxPerSecond: { type: 'integer', minimum: 1, maximum: 10_000 }
      }
    },
    /**
     * Keeps attempts in the store, for all instances; as a queue that outlives the process does anyway, where a database
     * keeps them. Without either each instance remembers its last 20 deliveries per endpoint.
     */
    history: {
      type: 'object',
      additionalProperties: false,
      properties: {
        /** How long they are kept, in seconds. */
        maxAgeS: count(3600, HISTORY_BOUNDS.maxAgeS, 315_360_000),
        /** How many are kept of each endpoint, the newest; a tenth more between two purges. */
        maxPerEndpoint: count(20, HISTORY_BOUNDS.maxPerEndpoint, 100_000)
      }
    },
    /** Refuses URLs that lead to internal addresses; `false` is for development. */
    denyPrivateIps: { type: 'boolean', default: true },
    /** Permits `http://` URLs. */
    allowHttp: { type: 'boolean', default: false },
    /** Internal networks that endpoints may be in all the same, such as `10.20.0.0/16`; never link-local. */
    allowCidrs: { type: 'array', items: { type: 'string' }, uniqueItems: true, default: [] },
    /** How old this instance's view of the endpoints may get, in seconds. */
    snapshotTtlS: count(0, 30, 86_400)
  }
} as const

export type SvcWebhooksOptions = OptionsOf<typeof optionsSchema>

/** Options after the reader: completed with defaults and frozen. */
export type WebhooksConfig = ConfigOf<typeof optionsSchema>

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcWebhooksParts {
  readonly clock?: Clock
  /** Resolves the host of every URL, at registration and before each delivery. Default: the system's resolver. */
  readonly lookup?: Lookup
  /** Ready stores; they win over `store`. */
  readonly stores?: { readonly webhooks?: WebhooksStore; readonly history?: HistoryStore }
  /** A queue of deliveries that outlives the process; it wins over `queue`. */
  readonly queue?: DurableQueue
}
