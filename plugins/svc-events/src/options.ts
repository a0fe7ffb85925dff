/** The options of svc-events. Events are declared under `events`; live objects are passed under `parts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import { storeOption } from 'svc-stores/options'
import { HISTORY_BOUNDS, type Lookup } from 'svc-webhooks/parts'
import type { OrganizationsPort } from './access/organizations.ts'
import type { EventDefinitions } from './definitions/define-events.ts'
import { colour, locale, MOST_MINUTES } from './portal/portal-options.ts'
import type { PortalTexts } from './portal/texts-en.ts'

const count = (minimum: number, fallback: number, maximum: number) =>
  ({ type: 'integer', minimum, maximum, default: fallback }) as const

const flag = (fallback: boolean) => ({ type: 'boolean', default: fallback }) as const

const secretKey = { type: 'string', minLength: 1 } as const

export const optionsSchema = {
  $id: 'svc-events/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Where events, endpoints and deliveries are stored. */
    store: storeOption,
    /** `false`: this instance stores events, and hands none on. */
    run: flag(true),
    /** Keeps the events of each organisation, for its listing and export. */
    journal: flag(true),
    /** How long the journal keeps an event, in seconds. */
    keepS: count(3600, 2_592_000, 315_360_000),
    /** Delivers events to the endpoints of their organisation. */
    webhooks: flag(true),
    /** Publishes events on `events:<organisation>` of svc-realtime. */
    channel: flag(true),
    /** Routes for organisations: their endpoints, deliveries and events. */
    routes: flag(true),
    /** Path before `/webhooks` and `/events`. A parameter `:organization` names the organisation. */
    path: { type: 'string', pattern: '^(/[A-Za-z0-9._~:-]+)*$', default: '/api' },
    /** Attribute that callers of the routes need; its subject is `:organization`, where the path has it. */
    requires: { type: 'string', minLength: 1, maxLength: 255, default: 'ORG_EVENTS' },
    /** Describes the messages in the section `webhooks` of the OpenAPI document. */
    openapi: flag(true),
    /** Path of the AsyncAPI 3 document, which is public; `false`: there is none. */
    asyncapi: {
      anyOf: [{ const: false }, { type: 'string', pattern: '^/[\\x21-\\x7e]*$' }],
      default: '/asyncapi.json'
    },
    /** Most bytes of the data of an event, as JSON. */
    maxBytes: count(1024, 65_536, 1_048_576),
    /** Most endpoints of an organisation. */
    maxEndpoints: count(1, 50, 1000),
    /**
     * 32 bytes, base64: encrypts the stored secrets of endpoints. To replace the key, give a list: the first key encrypts,
     * every key decrypts. Without it endpoints are disabled in production; otherwise a key of the process is used.
     */
    encryptionKey: { anyOf: [secretKey, { type: 'array', minItems: 1, items: secretKey }] },
    /** Delays before the retries of a delivery, in seconds, varied by up to a tenth. */
    retryScheduleS: {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 604_800 },
      maxItems: 100,
      default: [5, 10, 20, 40, 80, 300, 1800, 7200, 18_000, 36_000, 36_000]
    },
    /** Failed deliveries in a row after which an endpoint is disabled; 0 for never. */
    autoDisableThreshold: count(0, 20, 1_000_000),
    /** Longest time of one attempt, from name resolution to the end of the answer, in milliseconds. */
    deliveryTimeoutMs: count(1, 10_000, 600_000),
    /** Parallel attempts. One endpoint uses at most half of them. */
    maxConcurrent: count(1, 8, 1000),
    /** Limits of one endpoint per instance; test messages are exempt. */
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
    /** How long ended deliveries are kept. */
    history: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        /** How long ended deliveries are stored, in seconds. */
        maxAgeS: count(3600, HISTORY_BOUNDS.maxAgeS, 315_360_000),
        /** How many ended deliveries are stored per endpoint, the newest ones. */
        maxPerEndpoint: count(20, HISTORY_BOUNDS.maxPerEndpoint, 100_000)
      }
    },
    /** A page for administrators of an organisation, see `events.portal`. Off unless it is there. */
    portal: {
      type: 'object',
      additionalProperties: false,
      properties: {
        /** Path of the page. */
        path: { type: 'string', pattern: '^(?:/[A-Za-z0-9._~-]+)+$', default: '/events-portal' },
        /** Origin in front of `path` in links, such as `https://app.example`. Without it, links begin with the path. */
        origin: { type: 'string', pattern: '^https?://[A-Za-z0-9.:\\[\\]-]+$' },
        /** Origins whose pages may show the portal in a frame, or `self`. */
        frameAncestors: {
          type: 'array',
          items: { type: 'string', pattern: '^(?:self|https?://(?:\\*\\.)?[A-Za-z0-9.-]+(?::[0-9]{1,5})?)$' },
          uniqueItems: true,
          maxItems: 100,
          default: []
        },
        /** How long a link can be opened, in minutes. */
        minutes: count(1, 5, MOST_MINUTES),
        /** How long the session lasts that a link opens, in minutes. */
        sessionMinutes: count(1, 60, 720),
        /** Language of the page: `en`, `de`, or one of `parts.portalTexts`. */
        locale: { ...locale, default: 'en' },
        /** Colours of the page. */
        theme: {
          type: 'object',
          additionalProperties: false,
          properties: {
            /** Links, and the button of what is done next; one colour, or `{ light, dark }`. */
            accent: colour,
            /** Text on `accent`. */
            onAccent: colour,
            /** Behind everything. */
            ground: colour,
            /** Behind cards, fields and dialogs. */
            surface: colour,
            /** Text; lines and quiet text are made of it. */
            text: colour
          }
        },
        /** Permissions that keys made in the portal may have. Without it the portal has no keys; it needs svc-organizations with keys. */
        keys: {
          type: 'array',
          minItems: 1,
          maxItems: 100,
          uniqueItems: true,
          items: { type: 'string', minLength: 1, maxLength: 60 }
        }
      }
    },
    /** Refuses URLs of internal addresses; use `false` in development only. */
    denyPrivateIps: flag(true),
    /** Allows `http://` URLs. */
    allowHttp: flag(false),
    /** Internal networks that endpoints may use, such as `10.20.0.0/16`; link-local networks stay closed. */
    allowCidrs: { type: 'array', items: { type: 'string' }, uniqueItems: true, default: [] }
  }
} as const

/** Options of svc-events as an application passes them: defaults and bounds are in `docs/reference/options.md`. */
export type SvcEventsOptions = OptionsOf<typeof optionsSchema> & {
  /** The events of the application, as `defineEvents` makes them. */
  readonly events: EventDefinitions
}

/** The checked options, with defaults, frozen. */
export type EventsConfig = ConfigOf<typeof optionsSchema>

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcEventsParts {
  readonly clock?: Clock
  /** Resolves the host of every URL, at registration and before each delivery. Default: the resolver of the system. */
  readonly lookup?: Lookup
  /** What is known of organisations. Default: the path names them, and all of them exist. */
  readonly organizations?: OrganizationsPort
  /** Texts of the portal by language: they replace those of `en` and `de`, and what one lacks is said in English. */
  readonly portalTexts?: Readonly<Record<string, Partial<PortalTexts>>>
}
