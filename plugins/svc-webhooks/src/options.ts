/** What an operator may set. Live objects come under `parts`, see `SvcWebhooksParts`. */
import type { Clock, OptionsSchema } from 'svc-kernel'
import { storeOption, type WebhooksStore } from 'svc-stores'
import type { Lookup } from './ssrf/lookup.ts'

export interface SvcWebhooksOptions {
  /** `false` switches everything off: reads answer empty, changes 503. Default `true`. */
  readonly enabled?: boolean
  /** Where endpoints are kept. Default `auto`. */
  readonly store?: 'auto' | 'memory' | 'sqlorm' | 'docdb'
  /** 32 bytes, base64: seals the secrets at rest. Without it production has no webhooks; elsewhere a key of the process is used. */
  readonly encryptionKey?: string
  /** The only algorithm there is. */
  readonly signAlg?: 'sha256'
  /** How old a message may be, as receivers are told, in seconds; the sender never applies it. Default 300. */
  readonly timestampToleranceS?: number
  /** Attempts after the first. Default 5. */
  readonly maxRetries?: number
  /** Failed deliveries in a row that disable an endpoint; 0 never does. Default 20. */
  readonly autoDisableThreshold?: number
  /** How long one attempt may take, name resolution to answer, in milliseconds. Default 10000. */
  readonly deliveryTimeoutMs?: number
  /** Attempts at the same time. Default 8. */
  readonly maxConcurrent?: number
  /** Deliveries that may wait; more are dropped, with a log line. Default 1000. */
  readonly maxQueue?: number
  /** Refuses URLs that lead to internal addresses. `false` is for development. Default `true`. */
  readonly denyPrivateIps?: boolean
  /** Permits `http://` URLs. Default `false`. */
  readonly allowHttp?: boolean
  /** Internal networks that endpoints may be in all the same, such as `10.20.0.0/16`; never link-local. Default none. */
  readonly allowCidrs?: readonly string[]
  /** How old this instance's view of the endpoints may get, in seconds. Default 30. */
  readonly snapshotTtlS?: number
}

/** Options after the reader: completed with defaults and frozen. */
export type WebhooksConfig = Required<Omit<SvcWebhooksOptions, 'encryptionKey' | 'store'>> & {
  readonly store: string
  readonly encryptionKey?: string
}

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcWebhooksParts {
  readonly clock?: Clock
  /** Resolves the host of every URL, at registration and before each delivery. Default: the system's resolver. */
  readonly lookup?: Lookup
  /** A ready store; it wins over `store`. */
  readonly stores?: { readonly webhooks?: WebhooksStore }
}

const count = (minimum: number, fallback: number, maximum: number) =>
  ({ type: 'integer', minimum, maximum, default: fallback }) as const

export const optionsSchema: OptionsSchema = {
  $id: 'svc-webhooks/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: true },
    store: storeOption,
    encryptionKey: { type: 'string', minLength: 1 },
    signAlg: { enum: ['sha256'], default: 'sha256' },
    timestampToleranceS: count(1, 300, 86_400),
    maxRetries: count(0, 5, 100),
    autoDisableThreshold: count(0, 20, 1_000_000),
    deliveryTimeoutMs: count(1, 10_000, 600_000),
    maxConcurrent: count(1, 8, 1000),
    maxQueue: count(1, 1000, 1_000_000),
    denyPrivateIps: { type: 'boolean', default: true },
    allowHttp: { type: 'boolean', default: false },
    allowCidrs: { type: 'array', items: { type: 'string' }, uniqueItems: true, default: [] },
    snapshotTtlS: count(0, 30, 86_400)
  }
}
