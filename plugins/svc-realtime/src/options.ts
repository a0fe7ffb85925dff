/** What an operator may set. A channel is closed until an entry opens it. */
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
    /** Who may listen and publish where; of several that match, the first holds. Without an entry, no channel is open. */
    channels: {
      type: 'array',
      default: [],
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['pattern'],
        properties: {
          /** A name, or the start of one followed by `*`; the first that matches holds. */
          pattern: { type: 'string', pattern: '^([^\\s*]+\\*?|\\*)$', maxLength: 255 },
          /** `true`: everyone may listen; instead of `requires`. */
          anonymous: { type: 'boolean' },
          /** Clauses, all of which must pass; of a list within, one attribute suffices. */
          requires: clauses,
          /** `true`: whoever may listen may publish; clauses: these too; else only the server publishes. */
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
        /** Frames that may come at once; as many more are refused, then the socket is closed with 1008. */
        frameBurst: { type: 'integer', minimum: 1, default: 200 },
        /** Channels one socket may listen to. */
        maxChannels: { type: 'integer', minimum: 1, default: 256 },
        /** Requests to routes one socket may have open. */
        maxRequests: { type: 'integer', minimum: 1, default: 16 }
      }
    },
    /** How long a route may take to answer `api.request`, in milliseconds. */
    requestTimeoutMs: { type: 'integer', minimum: 1, maximum: 600_000, default: 30_000 },
    /**
     * How often peers, and the identities of idle subscribers, are checked, in seconds; a peer that is silent three
     * times in a row is dropped.
     */
    recheckS: { type: 'integer', minimum: 1, maximum: 86_400, default: 30 },
    /** Carries messages to other instances. Without it, messages stay in this process. */
    redis: {
      type: 'object',
      additionalProperties: false,
      required: ['url'],
      properties: {
        /** `redis://` or `rediss://` address of a Redis or Valkey server; without `redis`, messages stay in this process. */
        url: { type: 'string', pattern: '^rediss?://', expected: 'redis://host:port or rediss://host:port' },
        /** Keeps applications on one server apart. */
        prefix: { type: 'string', pattern: '^[\\w.:-]{1,64}$', default: 'svc' }
      }
    }
  }
} as const

export type SvcRealtimeOptions = OptionsOf<typeof optionsSchema>

/** Options after the reader: completed with defaults and frozen. */
export type RealtimeConfig = ConfigOf<typeof optionsSchema>

export type RealtimeLimits = RealtimeConfig['limits']
export type ChannelOption = RealtimeConfig['channels'][number]

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcRealtimeParts {
  /** Instead of the built-in ones. */
  readonly adapter?: RealtimeAdapter
  readonly clock?: Clock
}
