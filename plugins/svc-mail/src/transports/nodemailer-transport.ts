/** Mail by SMTP, through Nodemailer. What it and the server say is repeated without addresses and credentials. */
import { optionalPackage } from 'svc-kernel/plugin'
import { MailDeferred, MailRefused } from '../errors.ts'
import type { Mailbox, OutgoingMail } from '../messages/message.ts'
import type { MailConfig } from '../options.ts'
import type { Delivery, MailTransport } from './mail-transport.ts'

/** What is used of Nodemailer. */
interface Transporter {
  sendMail(mail: object): Promise<{ readonly messageId: string; readonly rejected?: readonly unknown[] }>
  verify(): Promise<unknown>
  close(): void
}

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
  readonly rejectedErrors?: readonly SmtpError[]
}

/** Without an answer, ms; the connection is closed then. */
const CONNECTION_MS = 10_000

/** Commands whose refusal is about the mail; what a server says before them is about the connection or the credentials. */
const OF_THE_MAIL = /^(?:MAIL FROM|RCPT TO|DATA)/

const ANSWER_CHARACTERS = 200

export class NodemailerTransport implements MailTransport {
  readonly #transporter: Transporter

  /** @throws BootError SVC_NOT_INSTALLED */
  constructor({ url, requireTls }: NonNullable<MailConfig['transport']>, timeoutS: number) {
    const use = { what: 'sending mail by SMTP', at: 'svc-mail.transport.url' }
    const nodemailer = optionalPackage<{ createTransport(options: object): Transporter }>(
      'nodemailer',
      import.meta.url,
      use
    )
    this.#transporter = nodemailer.createTransport({
      url,
      requireTLS: requireTls,
      connectionTimeout: CONNECTION_MS,
      greetingTimeout: CONNECTION_MS,
      dnsTimeout: CONNECTION_MS,
      // The server goes silent: the attempt ends before its job gives it up.
      socketTimeout: Math.max(timeoutS * 500, 1000),
      disableFileAccess: true,
      disableUrlAccess: true
    })
  }

  async send({ attachments, html, ...mail }: OutgoingMail): Promise<Delivery> {
    const { from, to, cc, bcc } = mail
    const sent = this.#transporter.sendMail({
      ...mail,
      ...(html !== null && { html }),
      bcc: [],
      // As they were checked: no address is parsed from a header again.
      envelope: { from: from.address, to: [...new Set([...to, ...cc, ...bcc].map(({ address }: Mailbox) => address))] },
      attachments: attachments.map(({ base64, contentType, cid, filename }) => ({
        filename,
        content: Buffer.from(base64, 'base64'),
        ...(contentType !== null && { contentType }),
        ...(cid !== null && { cid })
      })),
      disableFileAccess: true,
      disableUrlAccess: true
    })
    const { messageId, rejected = [] } = await sent.catch((error: SmtpError) => {
      throw failure(error)
    })
    return { id: messageId, refused: rejected.length }
  }

  async verify(): Promise<void> {
    await this.#transporter.verify().catch((error: SmtpError) => {
      throw new MailDeferred(answerOf(error))
    })
  }

  close(): void {
    this.#transporter.close()
  }
}

/** A new error: the stack and fields of the given one may name recipients and credentials. */
function failure(error: SmtpError): Error {
  const answers = error.rejectedErrors?.length ? error.rejectedErrors : [error]
  return answers.every(isForGood) ? new MailRefused(answerOf(error)) : new MailDeferred(answerOf(error))
}

function isForGood({ responseCode = 0, command = '', code }: SmtpError): boolean {
  return responseCode >= 500 && code !== 'EAUTH' && OF_THE_MAIL.test(command)
}

function answerOf({ response, responseCode, code, command }: SmtpError): string {
  // What a server says of a login may repeat it.
  const said =
    code === 'EAUTH' ? `the login failed (${responseCode ?? 'no answer'})` : (response ?? code ?? 'no answer')
  const text = said.replace(/\S+@\S+/g, '***').slice(0, ANSWER_CHARACTERS)
  return command === undefined ? text : `${text} (${command.split(' ')[0]})`
}
