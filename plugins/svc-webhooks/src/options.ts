/** The options of svc-webhooks. Live objects are passed under `parts`, see `SvcWebhooksParts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import type { Queue } from 'svc-queue'
import { storeOption } from 'svc-stores/options'
import type { WebhooksStore } from './endpoints/endpoint-store.ts'
import type { HistoryStore } from './history/history-store.ts'
import type { Lookup } from './ssrf/lookup.ts'

const count = (minimum: number, fallback: number, maximum: number) =>
  ({ type: 'integer', minimum, maximum, default: fallback }) as const

/** A month, and as many deliveries as a person reads. */
export const HISTORY_BOUNDS = { maxAgeS: 2_592_000, maxPerEndpoint: 1000 } as const

const secretKey = { type: 'string', minLength: 1 } as const

export const optionsSchema = {
  $id: 'svc-webhooks/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** `false` switches webhooks off: reads return empty lists, changes answer 503. */
    enabled: { type: 'boolean', default: true },
    /** Where endpoints are stored. */
    store: storeOption,
    /**
     * Where deliveries wait. `memory`: a bounded queue that ends with the process. `store`: a table beside the
     * endpoints, which survives restarts and which instances share. `auto`: `store` if a database keeps the
     * endpoints, else `memory`.
     */
    queue: { enum: ['memory', 'store', 'auto'], default: 'memory' },
    /**
     * Delays before the retries, in seconds, varied by up to a tenth, for a queue that survives restarts; replaces
     * `maxRetries` there.
     */
    retryScheduleS: {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 604_800 },
      maxItems: 100,
      default: [5, 10, 20, 40, 80, 300, 1800, 7200, 18_000, 36_000, 36_000]
    },
    /**
     * 32 bytes, base64: encrypts the stored secrets. To replace the key, give a list: the first key encrypts, every
     * key decrypts. Without it webhooks are disabled in production; otherwise a key of the process is used.
     */
    encryptionKey: { anyOf: [secretKey, { type: 'array', minItems: 1, items: secretKey }] },
    /** Signature algorithm; `sha256` is the only one. */
    signAlg: { enum: ['sha256'], default: 'sha256' },
    /**
     * Allowed age of a message, in seconds. Receivers apply it; they find it in `GET webhooks/event-types` and the
     * API description.
     */
    timestampToleranceS: count(1, 300, 86_400),
    /** Retries of a delivery in the memory queue, after 5, 10, 20, ... seconds, at most 300 seconds apart. */
    maxRetries: count(0, 5, 100),
    /** Failed deliveries in a row after which an endpoint is disabled; 0 for never. */
    autoDisableThreshold: count(0, 20, 1_000_000),
    /** Longest time of one attempt, from name resolution to the end of the answer, in milliseconds. */
    deliveryTimeoutMs: count(1, 10_000, 600_000),
    /**
     * Parallel attempts. One endpoint uses at most half of them, all if it is quick and the only one, a quarter if it
     * fails.
     */
    maxConcurrent: count(1, 8, 1000),
    /**
     * Deliveries that may wait, run or be due for a retry in the memory queue; further ones are dropped, with a log
     * line. For a queue that survives restarts: how many this instance takes at a time; nothing is dropped.
     */
    maxQueue: count(1, 1000, 1_000_000),
    /** Limits of one endpoint per instance, for a queue that survives restarts; test messages are exempt. */
    endpointLimits: {
      type: 'object',
      additionalProperties: false,
      properties: {
        /** Parallel attempts per endpoint. */
        maxConcurrent: { type: 'integer', minimum: 1, maximum: 1000 },
        /** Attempts started per second, per endpoint. */
        maxPerSecond: { type: 'integer', minimum: 1, maximum: 10_000 }
      }
    },
    /**
     * Keeps ended deliveries in the store, for all instances. A queue in a database does this without the option.
     * Without either, each instance remembers its last 20 deliveries per endpoint.
     */
    history: {
      type: 'object',
      additionalProperties: false,
      properties: {
        /** How long ended deliveries are stored, in seconds. */
        maxAgeS: count(3600, HISTORY_BOUNDS.maxAgeS, 315_360_000),
        /** How many ended deliveries are stored per endpoint, the newest ones; up to a tenth more between two purges. */
        maxPerEndpoint: count(20, HISTORY_BOUNDS.maxPerEndpoint, 100_000)
      }
    },
    /** Refuses URLs of internal addresses; use `false` in development only. */
    denyPrivateIps: { type: 'boolean', default: true },
    /** Allows `http://` URLs. */
    allowHttp: { type: 'boolean', default: false },
    /** Internal networks that endpoints may use, such as `10.20.0.0/16`; link-local networks stay closed. */
    allowCidrs: { type: 'array', items: { type: 'string' }, uniqueItems: true, default: [] },
    /** How long this instance caches the endpoints, in seconds. */
    snapshotTtlS: count(0, 30, 86_400)
  }
} as const

/**
 * Options of svc-webhooks as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcWebhooksOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type WebhooksConfig = ConfigOf<typeof optionsSchema>

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcWebhooksParts {
  readonly clock?: Clock
  /** Resolves the host of every URL, at registration and before each delivery. Default: the resolver of the system. */
  readonly lookup?: Lookup
  /** Ready stores; they take precedence over `store`. */
  readonly stores?: { readonly webhooks?: WebhooksStore; readonly history?: HistoryStore }
  /** A queue of deliveries that survives restarts; it takes precedence over `queue`. */
  readonly queue?: Queue
}
