/** The options of svc-realtime. A channel is closed unless an entry opens it. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import type { RealtimeAdapter } from './adapters/adapter.ts'

const text = { type: 'string', minLength: 1, maxLength: 255 } as const
const clauses = {
  type: 'array',
  minItems: 1,
  items: { anyOf: [text, { type: 'array', minItems: 1, items: text }] }
} as const

export const optionsSchema = {
  $id: 'svc-realtime/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Path of the WebSocket. */
    path: { type: 'string', pattern: '^/[\\x21-\\x7e]*$', default: '/svc/realtime' },
    /** Who may subscribe and publish; the first matching entry applies. Without an entry, a channel is closed. */
    channels: {
      type: 'array',
      default: [],
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['pattern'],
        properties: {
          /** Channel name, or a prefix followed by `*`; the first matching entry applies. */
          pattern: { type: 'string', pattern: '^([^\\s*]+\\*?|\\*)$', maxLength: 255 },
          /** `true` lets everyone subscribe; instead of `requires`. */
          anonymous: { type: 'boolean' },
          /** Attributes that a subscriber needs, all of them; of an inner list, one is enough. */
          requires: clauses,
          /**
           * `true` lets every subscriber publish; a list names attributes that publishers need as well. Without it,
           * only the server publishes.
           */
          publish: { anyOf: [{ type: 'boolean' }, clauses] }
        }
      }
    },
    limits: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        /** Largest frame, in bytes; a larger one closes the socket with 1009. */
        maxPayload: { type: 'integer', minimum: 1, default: 1_048_576 },
        /** Frames per second and socket, over time. */
        framesPerSecond: { type: 'integer', minimum: 1, default: 100 },
        /**
         * Frames that may arrive at once. The same number beyond that is refused, then the socket is closed with
         * 1008.
         */
        frameBurst: { type: 'integer', minimum: 1, default: 200 },
        /** Channels that one socket may subscribe to. */
        maxChannels: { type: 'integer', minimum: 1, default: 256 },
        /** Open requests to routes per socket. */
        maxRequests: { type: 'integer', minimum: 1, default: 16 }
      }
    },
    /** Longest time of a route to answer `api.request`, in milliseconds. */
    requestTimeoutMs: { type: 'integer', minimum: 1, maximum: 600_000, default: 30_000 },
    /**
     * How often peers and the identities of idle subscribers are checked, in seconds; a peer that misses three checks
     * in a row is disconnected.
     */
    recheckS: { type: 'integer', minimum: 1, maximum: 86_400, default: 30 },
    /** Carries messages to other instances. Without it, messages stay in this process. */
    redis: {
      type: 'object',
      additionalProperties: false,
      required: ['url'],
      properties: {
        /**
         * `redis://` or `rediss://` address of a Redis or Valkey server. Without `redis`, messages stay in this
         * process.
         */
        url: { type: 'string', pattern: '^rediss?://', expected: 'redis://host:port or rediss://host:port' },
        /** Prefix that separates applications on the same server. */
        prefix: { type: 'string', pattern: '^[\\w.:-]{1,64}$', default: 'svc' }
      }
    }
  }
} as const

/**
 * Options of svc-realtime as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcRealtimeOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type RealtimeConfig = ConfigOf<typeof optionsSchema>

/** Limits of sockets, channels and messages. */
export type RealtimeLimits = RealtimeConfig['limits']
/** One channel, or a pattern of channels: who may listen, and who may publish. */
export type ChannelOption = RealtimeConfig['channels'][number]

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcRealtimeParts {
  /** Carries messages between instances, instead of the built-in adapters. */
  readonly adapter?: RealtimeAdapter
  readonly clock?: Clock
}
