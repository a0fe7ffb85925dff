/** `fastify.mail`: sends mails, by a job for each. */
import type { AddedJob, JobAdder, Jobs } from 'svc-jobs'
import { InvalidMail } from './errors.ts'
import { MAIL_JOB } from './mail-job.ts'
import { checkMessage, type MessageBounds } from './messages/check-message.ts'
import type { MailEnvelope, NewMail, StoredMail } from './messages/message.ts'
import type { MailTemplate } from './templates/define-mail.ts'
import type { MailTransport } from './transports/mail-transport.ts'
import { Outbox } from './transports/outbox.ts'

/** A mail from a template. */
export interface TemplateMail<Data> extends MailEnvelope {
  readonly data: Data
  /** Default `en`. */
  readonly locale?: string
}

/** How a mail is sent, beside what it says. */
export interface SendOptions {
  /** Seconds until it is sent. Default 0. */
  readonly delayS?: number
  /** While a mail with this key has not been sent, another is not added. */
  readonly unique?: string
}

/** What sends mails, inside a transaction or outside. */
export interface MailSender {
  /**
   * Stores a mail; it is sent at least once after this resolves.
   *
   * @throws InvalidMail (400), JobsUnavailable (503)
   */
  send(mail: NewMail, options?: SendOptions): Promise<AddedJob>
  /** Sends what a template makes of `data`, at once. @throws as `send`, InvalidMailData (400), what the template throws */
  send<Data>(template: MailTemplate<Data>, mail: TemplateMail<Data>, options?: SendOptions): Promise<AddedJob>
}

type Options = SendOptions | undefined
type OfTemplate = [template: MailTemplate<unknown>, mail: TemplateMail<unknown>, options?: Options]
type Arguments = [mail: NewMail, options?: Options] | OfTemplate

/** `fastify.mail`. */
export class Mail implements MailSender {
  readonly #jobs: Jobs
  readonly #bounds: MessageBounds
  readonly #transport: MailTransport

  constructor(jobs: Jobs, bounds: MessageBounds, transport: MailTransport) {
    this.#jobs = jobs
    this.#bounds = bounds
    this.#transport = transport
  }

  /** Mails that stayed here, in development and tests. @throws TypeError where mails leave */
  get outbox(): Outbox {
    if (this.#transport instanceof Outbox) return this.#transport
    throw new TypeError('this application has no outbox: its mails leave by a transport')
  }

  send(mail: NewMail, options?: SendOptions): Promise<AddedJob>
  send<Data>(template: MailTemplate<Data>, mail: TemplateMail<Data>, options?: SendOptions): Promise<AddedJob>
  send(...given: Arguments): Promise<AddedJob> {
    return this.#send(this.#jobs, given)
  }

  /** Sends mails if an open transaction commits. @throws StoreOutsideTransaction where jobs are stored elsewhere */
  within(tx: Parameters<Jobs['within']>[0]): MailSender {
    const jobs = this.#jobs.within(tx)
    return { send: (...given: Arguments) => this.#send(jobs, given) }
  }

  /** Rejects unless the mail server answers and takes the credentials; resolves for a transport that cannot say. */
  async verify(): Promise<void> {
    await this.#transport.verify?.()
  }

  async #send(jobs: JobAdder, given: Arguments): Promise<AddedJob> {
    const [mail, options] = isTemplate(given)
      ? [await this.#rendered(given[0], given[1]), given[2]]
      : [checkMessage(given[0], this.#bounds), given[1]]
    return jobs.add(MAIL_JOB, mail, options)
  }

  async #rendered(template: MailTemplate<unknown>, mail: TemplateMail<unknown>): Promise<StoredMail> {
    if (typeof mail !== 'object' || mail === null) throw new InvalidMail('it names no recipient')
    const { data, locale = 'en', ...envelope } = mail
    return checkMessage({ ...envelope, ...(await template.render(data, { locale })) }, this.#bounds)
  }
}

function isTemplate(given: Arguments): given is OfTemplate {
  return typeof (given[0] as Partial<MailTemplate>)?.render === 'function'
}
