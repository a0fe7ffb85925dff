/** The mails of accounts: made of the texts of a language, or by a function of the application, and handed to svc-mail. */
import { html, type Mail, type MailContent } from 'svc-mail'
import { isMailAddress } from '../addresses/mail-address.ts'
import type { TokenPurpose } from '../tokens/account-tokens.ts'
import type { MailKind } from './mail-kind.ts'
import { en, type Texts } from './texts.ts'
import { de } from './texts-de.ts'

export type { MailKind }

/** What a mail is made of. */
export interface MailData {
  /** The address that it is about. It is not always that of the recipient. */
  readonly address: string
  /** With a one-time token in its fragment; `null` for a mail that lets nobody do anything. */
  readonly link: string | null
  readonly locale: string
}

/** Makes a mail. */
export type MailOf = (data: MailData) => MailContent

export interface AccountMailsParts {
  readonly mail: Pick<Mail, 'send'>
  readonly mails: Readonly<Partial<Record<MailKind, MailOf>>>
  readonly texts: Readonly<Record<string, Texts>>
  readonly link: (purpose: TokenPurpose, token: string) => string
  /** Of accounts that have no language, or one without texts. */
  readonly locale: string
}

/** A mail that is to be sent. */
export interface AccountMail {
  readonly to: string
  /** Default: that of the recipient. */
  readonly address?: string
  readonly locale: string | null
  /** What the link lets its holder do. */
  readonly token?: readonly [purpose: TokenPurpose, secret: string]
}

const BUILT_IN: Readonly<Record<string, Texts>> = { en, de }

export class AccountMails {
  readonly #parts: AccountMailsParts
  readonly #texts: ReadonlyMap<string, Texts>

  constructor(parts: AccountMailsParts) {
    this.#parts = parts
    this.#texts = new Map(Object.entries({ ...BUILT_IN, ...parts.texts }))
  }

  /** Whether there are texts in this language. */
  speaks(locale: string): boolean {
    return this.#texts.has(locale)
  }

  /**
   * Stores a mail, which a job then sends. An account whose login name is no address gets none.
   *
   * @throws as `fastify.mail.send`
   */
  async send(kind: MailKind, { to, address = to, locale: wanted, token }: AccountMail): Promise<void> {
    if (!isMailAddress(to)) return
    const { mail, mails, link: linkOf, locale: fallback } = this.#parts
    const locale = wanted !== null && this.speaks(wanted) ? wanted : fallback
    const data = { address, link: token === undefined ? null : linkOf(...token), locale }
    const content = mails[kind]?.(data) ?? mailOf(this.#texts.get(locale) ?? en, kind, data)
    await mail.send({ to, ...content })
  }
}

function mailOf(texts: Texts, kind: MailKind, { address, link }: MailData): MailContent {
  const { subject, lead: template, action, note } = texts[kind]
  const lead = template.replaceAll('{address}', () => address)
  const linked = link === null || action === null ? null : { link, action }
  return {
    subject,
    text: [lead, ...(linked === null ? [] : [`${linked.action}: ${linked.link}`]), note].join('\n\n'),
    html: html`<p>${lead}</p>${linked && html`<p><a href="${linked.link}">${linked.action}</a></p>`}<p>${note}</p>`
  }
}
