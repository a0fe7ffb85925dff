/** The options of svc-accounts. A flow is on where its section is written. Live objects are passed under `parts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import { storeOption } from 'svc-stores/options'
import type { MailKind, MailOf } from './mails/account-mails.ts'
import type { Texts } from './mails/texts.ts'
import type { AccountStore } from './records/account-store.ts'
import type { TokenPurpose, TokenStore } from './tokens/account-tokens.ts'

const count = (minimum: number, fallback: number, maximum: number) =>
  ({ type: 'integer', minimum, maximum, default: fallback }) as const

const section = { type: 'object', additionalProperties: false } as const

export const optionsSchema = {
  $id: 'svc-accounts/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Where tokens and the state of accounts are stored. */
    store: storeOption,
    /** URL of your pages, such as `https://shop.example.org/account`: mails link to `<link>/<page>#<token>`. Needed once a flow is on. */
    link: { type: 'string', maxLength: 1000 },
    /** The language of mails to accounts that have none: `en`, `de`, or one of `parts.texts`. */
    locale: { type: 'string', minLength: 2, maxLength: 35, default: 'en' },
    /** Pages for who has none: forms over the routes, without a build step. */
    pages: {
      ...section,
      properties: {
        /** Where they are; `link` is this path at the public origin. */
        path: { type: 'string', pattern: '^(/[a-z0-9-]+)+$', maxLength: 100, default: '/account' }
      }
    },
    limits: {
      ...section,
      default: {},
      properties: {
        /** Mails that strangers can cause to one address. Further ones are not sent; the answer is the same. */
        perAddress: { type: 'string', minLength: 3, default: '5/hour' },
        /** Requests of one network to the routes that need no session. Further ones get 429. */
        perNetwork: { type: 'string', minLength: 3, default: '60/10min' }
      }
    },
    /** Sign-up, and the proof of its address. */
    signUp: {
      ...section,
      properties: {
        /** Roles of new accounts. */
        roles: { type: 'array', maxItems: 50, items: { type: 'string', minLength: 1, maxLength: 100 }, default: [] },
        /** `true`: the account can log in before its address is proven. A login then tells whether an address was taken. */
        unverified: { type: 'boolean', default: false },
        /** How long the link is valid, in hours. */
        hours: count(1, 24, 720)
      }
    },
    /** Reset of a forgotten password. */
    reset: {
      ...section,
      properties: {
        /** How long the link is valid, in minutes. */
        minutes: count(5, 60, 1440)
      }
    },
    /** Change of the address. */
    changeAddress: {
      ...section,
      properties: {
        /** How long the link to the new address is valid, in minutes. */
        minutes: count(5, 60, 1440),
        /** How long the owner of the old address can undo it, in days. */
        undoDays: count(1, 7, 90)
      }
    },
    /** Invitations by administrators, and by `fastify.accounts.invite`. */
    invitations: {
      ...section,
      properties: {
        /** How long an invitation is valid, in days. */
        days: count(1, 7, 90)
      }
    },
    /** Deletion of one's own account. */
    deletion: {
      ...section,
      properties: {
        /** Until the account is removed, in days; within them its owner can cancel. */
        graceDays: count(0, 14, 90)
      }
    },
    /** Export of one's own data. */
    export: {
      ...section,
      properties: {
        /** How long the archive can be downloaded, in hours. */
        hours: count(1, 24, 168),
        /** The size of an archive, in bytes. */
        maxBytes: count(1000, 5_000_000, 12_000_000)
      }
    }
  }
} as const

/** Options of svc-accounts as an application passes them: defaults and bounds are in `docs/reference/options.md`. */
export type SvcAccountsOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type AccountsConfig = ConfigOf<typeof optionsSchema>

/** A flow, by the section of the options that switches it on. */
export type Flow = 'signUp' | 'reset' | 'changeAddress' | 'invitations' | 'deletion' | 'export'

export const FLOWS: readonly Flow[] = ['signUp', 'reset', 'changeAddress', 'invitations', 'deletion', 'export']

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcAccountsParts {
  readonly clock?: Clock
  /** Ready stores; they take precedence over `store`. */
  readonly stores?: { readonly accounts?: AccountStore; readonly accountTokens?: TokenStore }
  /** Mails of your own, by what they are about; the others are those of this package. */
  readonly mails?: Readonly<Partial<Record<MailKind, MailOf>>>
  /** Texts of mails by language; they take precedence over those of this package. */
  readonly texts?: Readonly<Record<string, Texts>>
  /** The URL that a mail links to. Default: `<link>/<page>#<token>`. */
  readonly link?: (purpose: TokenPurpose, token: string) => string
}
