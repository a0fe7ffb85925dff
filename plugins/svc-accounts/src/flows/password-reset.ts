/** Reset of a forgotten password. It proves the address, and no factor: whoever has one is asked for it at the login. */
import { readMailAddress } from '../addresses/mail-address.ts'
import {
  accountOf,
  defineFlowJob,
  type FlowParts,
  localeOf,
  mayMail,
  type SectionOf,
  usableUser
} from './flow-parts.ts'
import type { Redemption } from './sign-up.ts'

const JOB = 'svc.accounts.reset'

const MINUTE_MS = 60_000

export class PasswordReset {
  readonly #parts: FlowParts
  readonly #section: SectionOf<'reset'>

  constructor(parts: FlowParts, section: SectionOf<'reset'>) {
    this.#parts = parts
    this.#section = section
    defineFlowJob(parts, JOB, ['address'], ({ address }) => this.#work(address))
  }

  /** @throws InvalidAddress (400), JobsUnavailable (503) */
  async begin(given: string): Promise<void> {
    const address = readMailAddress(given)
    if (await mayMail(this.#parts, address)) await this.send(address)
  }

  /** As `begin`, whatever the limit of mails says: for what has proven more. */
  async send(address: string): Promise<void> {
    await this.#parts.jobs.add(JOB, { address })
  }

  /**
   * Sets a new password, and ends everything that let the user in.
   *
   * @throws InvalidToken, InvalidPassword (400), PasswordsBusy, AuthenticationUnavailable (503)
   */
  complete({ token, password }: Redemption): Promise<void> {
    return this.#parts.book.redeem('reset', token, async (record) => {
      const { users, records, audit } = this.#parts
      const { id, identifier } = await accountOf(this.#parts, record)
      await users.setPassword(identifier, password)
      await records.verify(id, record.address)
      audit('account.reset', identifier)
    })
  }

  async #work(address: string): Promise<void> {
    const { book, mails } = this.#parts
    const user = await usableUser(this.#parts, address)
    if (user === null) return
    const { id, identifier } = user
    const lifeMs = this.#section.minutes * MINUTE_MS
    const secret = await book.issue({ purpose: 'reset', key: address, subject: id, identifier, address, lifeMs })
    await mails.send('reset', { to: address, locale: await localeOf(this.#parts, id), token: ['reset', secret] })
  }
}
