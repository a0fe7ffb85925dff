/** A mail: as a caller gives it, and as it is stored and sent. */

/** `ada@example.org`, `Ada <ada@example.org>`, or its parts. */
export type MailAddress = string | { readonly name?: string; readonly address: string }

/** A file that goes with a mail. */
export interface MailAttachment {
  readonly filename: string
  /** Default: what the transport makes of the file name. */
  readonly contentType?: string
  /** Text, or bytes. Paths and URLs are never read. */
  readonly content: string | Uint8Array
  /** An image in `html` names it: `<img src="cid:logo">`. */
  readonly cid?: string
}

/** To whom a mail goes, beside what it says. */
export interface MailEnvelope {
  readonly to: MailAddress | readonly MailAddress[]
  /** Default: that of the plugin. */
  readonly from?: MailAddress
  readonly cc?: MailAddress | readonly MailAddress[]
  /** Recipients that no other recipient sees. */
  readonly bcc?: MailAddress | readonly MailAddress[]
  readonly replyTo?: MailAddress | readonly MailAddress[]
  /** Further headers, such as `List-Unsubscribe`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly attachments?: readonly MailAttachment[]
}

/** What a mail says. A text is always needed: it is what readers without HTML, and filters, see. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html?: string | { toString(): string }
}

/** A mail as a caller gives it. */
export interface NewMail extends MailEnvelope, MailContent {}

/** An address that was checked, and the name before it, which may be empty. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** A mail whose every field was checked, as JSON: the body of its job. */
export interface StoredMail {
  readonly from: Mailbox
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
  readonly bcc: readonly Mailbox[]
  readonly replyTo: readonly Mailbox[]
  readonly subject: string
  readonly text: string
  readonly html: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly StoredAttachment[]
}

/** As JSON. */
export interface StoredAttachment {
  readonly filename: string
  readonly contentType: string | null
  readonly cid: string | null
  readonly base64: string
}

/** A mail as a transport gets it. */
export interface OutgoingMail extends StoredMail {
  /** `<id@domain>`: the same for every attempt at one mail, so that a second copy can be recognised. */
  readonly messageId: string
}
