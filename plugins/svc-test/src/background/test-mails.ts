/** The mails that an application has sent in a test: they stay in the outbox of svc-mail. */
import type { FastifyInstance } from 'fastify'
import { decoratorOf } from 'svc-kernel'
import { CannotReadMails, NoMailSent } from '../errors.ts'

interface Mailbox {
  readonly name: string
  readonly address: string
}

/** A mail as it would have left. */
export interface CapturedMail {
  readonly messageId: string
  readonly from: Mailbox
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
  readonly bcc: readonly Mailbox[]
  readonly subject: string
  readonly text: string
  readonly html: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly { readonly filename: string; readonly base64: string }[]
  /** Epoch ms. */
  readonly sentAt: number
}

/** Which mails; every field that is given has to fit. */
export interface CapturedFilter {
  /** An address among `to`, `cc` and `bcc`. */
  readonly to?: string
  /** A part of the subject. */
  readonly subject?: string
}

/** The mails of one application. */
export interface TestMails {
  /** Oldest first: the last 200. */
  readonly sent: readonly CapturedMail[]
  /** The newest that fits. @throws NoMailSent, which says what was sent */
  last(filter?: CapturedFilter): CapturedMail
}

/** `fastify.mail`, as far as tests use it. */
interface MailView {
  /** Throws where mails leave by a transport. */
  readonly outbox: { list(filter?: CapturedFilter): readonly CapturedMail[] }
}

/** The mails of an application with svc-mail, once their jobs have run. @throws CannotReadMails where they leave */
export function mailsOf(app: FastifyInstance): TestMails {
  const outbox = outboxOf(app)
  return Object.freeze({
    get sent() {
      return outbox.list().toReversed()
    },
    last: (filter: CapturedFilter = {}) => {
      const [newest] = outbox.list(filter)
      if (newest === undefined) throw new NoMailSent(JSON.stringify(filter), said(outbox.list()))
      return newest
    }
  })
}

function outboxOf(app: FastifyInstance): MailView['outbox'] {
  const mail = decoratorOf(app as unknown as { mail: MailView }, 'mail')
  if (mail === null) throw new CannotReadMails()
  try {
    return mail.outbox
  } catch (error) {
    throw new CannotReadMails({ cause: error })
  }
}

function said(mails: readonly CapturedMail[]): string {
  const lines = mails.map(({ subject, to }) => `"${subject}" to ${to.map(({ address }) => address).join(', ')}`)
  return lines.join('; ') || 'none: run its job with jobsOf(app).drain()'
}
