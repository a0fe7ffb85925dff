/** Export of one's own data. A job gathers it; the archive waits in the book of tokens, and is downloaded once. */
import type { AccountView } from 'svc-security'
import type { JsonObject } from 'svc-stores'
import { readMailAddress } from '../addresses/mail-address.ts'
import { InvalidToken } from '../errors.ts'
import type { DataParts } from './data-parts.ts'
import { defineFlowJob, type FlowParts, HOUR_MS, localeOf, type SectionOf, usableUser } from './flow-parts.ts'

const JOB = 'svc.accounts.export'

export class DataExport {
  readonly #parts: FlowParts
  readonly #section: SectionOf<'export'>
  readonly #data: DataParts

  constructor(parts: FlowParts, section: SectionOf<'export'>, data: DataParts) {
    this.#parts = parts
    this.#section = section
    this.#data = data
    defineFlowJob(parts, JOB, ['identifier'], ({ identifier }) => this.#work(identifier), true)
  }

  /**
   * While one is gathered, another is not.
   *
   * @param identifier of who asks, proven a short while ago
   * @throws InvalidAddress (400) for a login name that is no address, to which no link can go
   */
  async begin(identifier: string): Promise<void> {
    readMailAddress(identifier)
    await this.#parts.jobs.add(JOB, { identifier })
    this.#parts.audit('account.export_requested', identifier)
  }

  /** @param user who downloads it @throws InvalidToken (400), also for the archive of somebody else, which stays */
  async take({ id, identifier }: Pick<AccountView, 'id' | 'identifier'>, token: string): Promise<JsonObject> {
    const archive = await this.#parts.book.redeem('export', token, async ({ subject, identifier: bound, data }) => {
      if (subject !== id || bound !== identifier) throw new InvalidToken()
      return data
    })
    this.#parts.audit('account.exported', identifier)
    return archive
  }

  async #work(identifier: string): Promise<void> {
    const { book, mails } = this.#parts
    const user = await usableUser(this.#parts, identifier)
    if (user === null) return
    const { hours, maxBytes } = this.#section
    const data = (await this.#data.export(user, maxBytes)) as JsonObject
    const bound = { subject: user.id, identifier, address: identifier }
    const secret = await book.issue({ purpose: 'export', key: user.id, ...bound, data, lifeMs: hours * HOUR_MS })
    const locale = await localeOf(this.#parts, user.id)
    await mails.send('export', { to: identifier, locale, token: ['export', secret] })
  }
}
