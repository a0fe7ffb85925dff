/** The options of svc-mail. Live objects are passed under `parts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import type { MailTransport } from './transports/mail-transport.ts'

const count = (minimum: number, fallback: number, maximum: number) =>
  ({ type: 'integer', minimum, maximum, default: fallback }) as const

export const optionsSchema = {
  $id: 'svc-mail/options',
  type: 'object',
  additionalProperties: false,
  required: ['from'],
  properties: {
    /** The sender of mails that name none: `Shop <shop@example.org>`. */
    from: { type: 'string', maxLength: 400 },
    /** The mail server, through Nodemailer. */
    transport: {
      type: 'object',
      additionalProperties: false,
      required: ['url'],
      properties: {
        /** `smtps://user:password@host`, or `smtp://host:587`. */
        url: { type: 'string', pattern: '^smtps?://', maxLength: 2000 },
        /** `smtp:` sends nothing, and no password, without STARTTLS. */
        requireTls: { type: 'boolean', default: false }
      }
    },
    /** `true`: mails stay in memory in place of leaving. The default in development and tests, without a transport. */
    outbox: { type: 'boolean' },
    /** Attempts after the first that failed. */
    retries: count(0, 10, 100),
    /** How long the mail server may take for one mail, in seconds. */
    timeoutS: count(5, 120, 3600),
    /** Recipients of one mail: `to`, `cc` and `bcc` together. */
    maxRecipients: count(1, 50, 1000),
    /** Texts and attachments of one mail, in bytes. */
    maxBytes: count(1000, 1_000_000, 10_000_000)
  }
} as const

/** Options of svc-mail as an application passes them: defaults and bounds are in `docs/reference/options.md`. */
export type SvcMailOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type MailConfig = ConfigOf<typeof optionsSchema>

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcMailParts {
  readonly clock?: Clock
  /** Takes precedence over `transport` and `outbox`. */
  readonly transport?: MailTransport
}
