/** The job of a mail: hands it to the transport, and says what became of it. */
import type { FastifyBaseLogger } from 'fastify'
import { FinalJobFailure, type Jobs, type RunningJob } from 'svc-jobs'
import { readableError } from 'svc-kernel/plugin'
import { MailDeferred, MailRefused } from './errors.ts'
import { maskAddress } from './messages/address.ts'
import type { StoredMail } from './messages/message.ts'
import type { MailConfig } from './options.ts'
import type { MailTransport } from './transports/mail-transport.ts'

export const MAIL_JOB = 'svc.mail'

export interface MailJobParts {
  readonly transport: MailTransport
  readonly options: Pick<MailConfig, 'retries' | 'timeoutS'>
  readonly log: FastifyBaseLogger
}

export function defineMailJob(jobs: Jobs, parts: MailJobParts): void {
  const { retries, timeoutS } = parts.options
  // A mail may hold secrets, such as a link that resets a password: its text goes when it was sent.
  const options = { retries, timeoutS, keepBody: false, body: STORED_MAIL }
  jobs.define(MAIL_JOB, options, (body, job) => sendMail(parts, body as unknown as StoredMail, job))
}

async function sendMail({ transport, options, log }: MailJobParts, mail: StoredMail, job: RunningJob) {
  const { id, attempt, cause } = job
  const messageId = `<${id}@${mail.from.address.slice(mail.from.address.lastIndexOf('@') + 1)}>`
  const recipients = [...mail.to, ...mail.cc, ...mail.bcc]
  const [first] = recipients
  const said = {
    mail: id,
    to: first === undefined ? null : maskAddress(first.address),
    recipients: recipients.length,
    attempt,
    user: cause?.user ?? null,
    reqId: cause?.requestId ?? null
  }
  try {
    const { refused } = await transport.send({ ...mail, messageId })
    log.info({ ...said, refused }, 'a mail was sent')
    if (refused > 0) {
      const text = `the mail server took a mail for ${recipients.length - refused} of ${recipients.length} recipients`
      log.warn({ code: 'SVC_MAIL_RECIPIENTS', job: id, refused }, text)
    }
  } catch (error) {
    const failure = known(error)
    const { message } = failure
    const isFinal = failure instanceof MailRefused
    if (isFinal || attempt > options.retries) {
      log.error({ code: 'SVC_MAIL_FAILED', ...said, reason: message }, 'a mail could not be sent')
    }
    throw isFinal ? new FinalJobFailure(message) : failure
  }
}

/** Errors of other transports lose their fields and their stack, which may hold the mail or a password. */
function known(error: unknown): Error {
  if (error instanceof MailRefused || error instanceof MailDeferred) return error
  return new MailDeferred(readableError(error).message)
}

const mailboxes = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'address'],
    properties: { name: { type: 'string' }, address: { type: 'string' } }
  }
} as const

const text = { type: 'string' } as const
const optionalText = { type: ['string', 'null'] } as const

/** What `checkMessage` makes: a mail that another release stored in another shape is parked. */
const STORED_MAIL = {
  type: 'object',
  additionalProperties: false,
  required: ['from', 'to', 'cc', 'bcc', 'replyTo', 'subject', 'text', 'html', 'headers', 'attachments'],
  properties: {
    from: mailboxes.items,
    to: mailboxes,
    cc: mailboxes,
    bcc: mailboxes,
    replyTo: mailboxes,
    subject: text,
    text,
    html: optionalText,
    headers: { type: 'object', additionalProperties: text },
    attachments: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['filename', 'contentType', 'cid', 'base64'],
        properties: { filename: text, contentType: optionalText, cid: optionalText, base64: text }
      }
    }
  }
} as const
