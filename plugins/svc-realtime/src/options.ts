/** What an operator may set. A channel is closed until an entry opens it. */
import type { Clock, OptionsSchema } from 'svc-kernel'
import type { RealtimeAdapter } from './adapters/adapter.ts'
import type { ChannelOption } from './channels/channel-lock.ts'

export interface RealtimeLimits {
  /** Largest frame, in bytes; a larger one closes the socket with 1009. */
  readonly maxPayload: number
  /** Frames per second and socket, over time. */
  readonly framesPerSecond: number
  /** Frames that may come at once. As many more are refused, then the socket is closed with 1008. */
  readonly frameBurst: number
  /** Channels one socket may listen to. */
  readonly maxChannels: number
  /** Requests to routes one socket may have open. */
  readonly maxRequests: number
}

export interface SvcRealtimeOptions {
  /** Path of the WebSocket. Default `/svc/realtime`. */
  readonly path?: string
  /** Who may listen and publish where; of several that match, the first holds. Default: no channel is open. */
  readonly channels?: readonly ChannelOption[]
  readonly limits?: Partial<RealtimeLimits>
  /** How long a route may take to answer `api.request`, in milliseconds. Default 30000. */
  readonly requestTimeoutMs?: number
  /** How often it is checked that peers and the identities of idle subscribers are still there, in seconds. Default 30. */
  readonly recheckS?: number
  /** Carries messages to other instances over Redis or Valkey. Default: this process is alone. */
  readonly redis?: {
    /** `redis://` or `rediss://`. */
    readonly url: string
    /** Keeps applications on one server apart. Default `svc`. */
    readonly prefix?: string
  }
}

/** Options after the reader: completed with defaults and frozen. */
export interface RealtimeConfig {
  readonly path: string
  readonly channels: readonly ChannelOption[]
  readonly limits: RealtimeLimits
  readonly requestTimeoutMs: number
  readonly recheckS: number
  readonly redis?: { readonly url: string; readonly prefix: string }
}

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcRealtimeParts {
  /** Instead of the built-in ones. */
  readonly adapter?: RealtimeAdapter
  readonly clock?: Clock
}

const text = { type: 'string', minLength: 1, maxLength: 255 } as const
const clauses = {
  type: 'array',
  minItems: 1,
  items: { anyOf: [text, { type: 'array', minItems: 1, items: text }] }
} as const

export const optionsSchema: OptionsSchema = {
  $id: 'svc-realtime/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    path: { type: 'string', pattern: '^/[\\x21-\\x7e]*$', default: '/svc/realtime' },
    channels: {
      type: 'array',
      default: [],
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['pattern'],
        properties: {
          pattern: { type: 'string', pattern: '^([^\\s*]+\\*?|\\*)$', maxLength: 255 },
          anonymous: { type: 'boolean' },
          requires: clauses,
          publish: { anyOf: [{ type: 'boolean' }, clauses] }
        }
      }
    },
    limits: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        maxPayload: { type: 'integer', minimum: 1, default: 1_048_576 },
        framesPerSecond: { type: 'integer', minimum: 1, default: 100 },
        frameBurst: { type: 'integer', minimum: 1, default: 200 },
        maxChannels: { type: 'integer', minimum: 1, default: 256 },
        maxRequests: { type: 'integer', minimum: 1, default: 16 }
      }
    },
    requestTimeoutMs: { type: 'integer', minimum: 1, maximum: 600_000, default: 30_000 },
    recheckS: { type: 'integer', minimum: 1, maximum: 86_400, default: 30 },
    redis: {
      type: 'object',
      additionalProperties: false,
      required: ['url'],
      properties: {
        url: { type: 'string', pattern: '^rediss?://', expected: 'redis://host:port or rediss://host:port' },
        prefix: { type: 'string', pattern: '^[\\w.:-]{1,64}$', default: 'svc' }
      }
    }
  }
}
