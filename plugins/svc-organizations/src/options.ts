/** The options of svc-organizations. What a section names is on where it is written. Live objects are passed under `parts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import { storeOption } from 'svc-stores/options'
import type { InvitationMail } from './members/invitation-mail.ts'
import type { ReadyStores } from './records/open-stores.ts'

const count = (minimum: number, fallback: number, maximum: number) =>
  ({ type: 'integer', minimum, maximum, default: fallback }) as const

const section = { type: 'object', additionalProperties: false } as const

const permission = { type: 'string', pattern: '^(?!member$)[a-z][a-z0-9]*(-[a-z0-9]+)*$', maxLength: 60 } as const

export const optionsSchema = {
  $id: 'svc-organizations/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Where organisations, members and invitations are stored. */
    store: storeOption,
    /**
     * Roles of members by name, beside `owner`, which has every permission. A permission `billing` is what `ORG_BILLING` asks
     * for; the routes of this package ask for `members`, `settings`, `keys`, `domains`, `provisioning` and `deletion`.
     */
    roles: {
      type: 'object',
      propertyNames: { type: 'string', pattern: '^(?!owner$)[a-z][a-z0-9-]{0,59}$' },
      additionalProperties: {
        ...section,
        required: ['permissions'],
        properties: {
          /** What the role lets a member do: names in lower case, with `-`. */
          permissions: { type: 'array', maxItems: 100, uniqueItems: true, items: permission }
        }
      },
      default: { admin: { permissions: ['members', 'settings', 'keys'] }, member: { permissions: [] } }
    },
    /** How a request names its organisation. A key of an organisation always names it. */
    active: {
      ...section,
      default: {},
      properties: {
        /** The parameter of paths, such as `/api/:organization/invoices`: an id or a slug. */
        path: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]*$', maxLength: 60, default: 'organization' },
        /** A header, such as `x-organization`. Default: none. */
        header: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9-]*$', maxLength: 60 },
        /** The domain below which each organisation has a host: `example.org` for `acme.example.org`. Default: none. */
        host: { type: 'string', pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)*$', maxLength: 200 }
      }
    },
    /** The routes by which users make organisations, and rename those that they may. */
    create: {
      ...section,
      properties: {
        /** Organisations that a user belongs to, at most. */
        maxPerUser: count(1, 20, 1000)
      }
    },
    /** Invitations by mail; they need svc-mail, and svc-accounts or `parts.provenAddress`. */
    invitations: {
      ...section,
      required: ['link'],
      properties: {
        /** URL of your page, such as `https://shop.example.org/join`: the mail links to `<link>#<token>`. */
        link: { type: 'string', maxLength: 1000 },
        /** How long an invitation is valid, in days. */
        days: count(1, 7, 90),
        /** Members and open invitations of an organisation, at most. */
        maxMembers: count(1, 1000, 100_000),
        /** Invitations that one organisation sends; further ones get 429. */
        rate: { type: 'string', minLength: 3, default: '100/hour' }
      }
    },
    /** Transfer of the ownership, which both sides agree to. */
    transfer: section,
    /** Deletion by an owner; it needs svc-jobs. */
    deletion: {
      ...section,
      properties: {
        /** Until the organisation is removed, in days; within them an owner can cancel. */
        graceDays: count(1, 30, 365),
        /** The size of the export that is made before, in bytes. */
        maxBytes: count(1000, 5_000_000, 12_000_000)
      }
    },
    /** Domains that organisations prove by a TXT record, and that may require a provider for the sign-in of their addresses. */
    domains: {
      ...section,
      properties: {
        /** Providers of `oauth2.providers` of svc-security that a domain may require. */
        providers: {
          type: 'array',
          maxItems: 100,
          items: { type: 'string', minLength: 1, maxLength: 60 },
          default: []
        },
        /** After how long a proven domain is looked up again, in hours. A record that is gone ends the proof. */
        recheckHours: count(1, 24, 720)
      }
    },
    /**
     * SCIM 2.0 at `/scim/v2`, for keys with the permission `provisioning`. It needs `keys` and `domains`, and an area with
     * the pattern `^/scim`.
     */
    scim: {
      ...section,
      required: ['role'],
      properties: {
        /** Role of members whom no group gives another. */
        role: { type: 'string', minLength: 1, maxLength: 60 },
        /** Roles by the `displayName` of their group, the strongest first. */
        groups: { type: 'object', additionalProperties: { type: 'string', minLength: 1, maxLength: 60 }, default: {} }
      }
    },
    /** API keys that belong to the organisation; they need users that svc-security keeps. */
    keys: {
      ...section,
      properties: {
        /** Requests of one key. */
        rate: { type: 'string', minLength: 3, default: '600/min' },
        /** Requests of all keys of one organisation. */
        organizationRate: { type: 'string', minLength: 3, default: '3000/min' }
      }
    }
  }
} as const

/** Options of svc-organizations as an application passes them: defaults and bounds are in `docs/reference/options.md`. */
export type SvcOrganizationsOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type OrganizationsConfig = ConfigOf<typeof optionsSchema>

/** The user of a caller: what `provenAddress` is asked about. */
export interface AskedUser {
  readonly id: string
  readonly identifier: string
}

/** Answers the TXT records of a name as `resolveTxt` of `node:dns/promises` does; rejects as it does. */
export type TxtResolver = (name: string) => Promise<readonly (readonly string[])[]>

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcOrganizationsParts {
  readonly clock?: Clock
  /** Ready stores; they take precedence over `store`. */
  readonly stores?: ReadyStores
  /** The address that a user has proven; `null` for none. Default: that of svc-accounts. */
  readonly provenAddress?: (user: AskedUser) => string | null | Promise<string | null>
  /** Looks up the TXT records that prove domains. Default: that of `node:dns`. */
  readonly resolveTxt?: TxtResolver
  /** The mail of an invitation. */
  readonly invitationMail?: InvitationMail
}
