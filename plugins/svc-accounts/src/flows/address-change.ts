/**
 * Change of the address. A link proves the new one; the old one is told, with a link that undoes the change and takes the
 * account from whoever made it. That link outlives changes of the account: they may be the thief's.
 */
import type { AccountView } from 'svc-security'
import { DuplicateRecord } from 'svc-stores'
import { readMailAddress } from '../addresses/mail-address.ts'
import { AddressTaken, InvalidToken } from '../errors.ts'
import {
  accountOf,
  DAY_MS,
  defineFlowJob,
  type FlowParts,
  localeOf,
  mayMail,
  type SectionOf,
  usableUser
} from './flow-parts.ts'

const JOB = 'svc.accounts.address'

const MINUTE_MS = 60_000

/** Mails a link that resets a password. */
interface Resets {
  send(address: string): Promise<void>
}

export class AddressChange {
  readonly #parts: FlowParts
  readonly #section: SectionOf<'changeAddress'>
  readonly #reset: Resets | null

  /** @param reset lets the owner choose a password after an undone change; `null` where resets are off */
  constructor(parts: FlowParts, section: SectionOf<'changeAddress'>, reset: Resets | null) {
    this.#parts = parts
    this.#section = section
    this.#reset = reset
    defineFlowJob(parts, JOB, ['identifier', 'address'], (body) => this.#work(body.identifier, body.address))
  }

  /** @param identifier of who asks, proven a short while ago @throws InvalidAddress (400), JobsUnavailable (503) */
  async begin(identifier: string, given: string): Promise<void> {
    const address = readMailAddress(given)
    if (await mayMail(this.#parts, address)) await this.#parts.jobs.add(JOB, { identifier, address })
  }

  /** @returns the new login name @throws InvalidToken (400), AddressTaken (409) */
  confirm(token: string): Promise<string> {
    return this.#parts.book.redeem('address', token, async (record) => {
      const { users, records, mails, audit } = this.#parts
      const { id, identifier } = await accountOf(this.#parts, record)
      const { address } = record
      if ((await users.find(address)) !== null) throw new AddressTaken()
      const locale = await localeOf(this.#parts, id)
      // Told before it is done: a mail too many is harmless, and an owner who hears nothing is not.
      await this.#tellOldAddress({ id, identifier }, address, locale)
      await this.#rename(identifier, address)
      await records.verify(id, address)
      await mails.send('welcome', { to: address, locale })
      audit('account.address_changed', address)
      return address
    })
  }

  /**
   * Gives an account its address back, without a password and factors: whoever made the change may have set
   * them.
   *
   * @throws InvalidToken (400), AddressTaken (409)
   */
  undo(token: string): Promise<void> {
    return this.#parts.book.redeem('undo', token, async ({ subject, address }) => {
      const { users, records, audit } = this.#parts
      const user = subject === null ? null : await users.get(subject)
      if (user === null) throw new InvalidToken()
      if (user.identifier !== address) await this.#rename(user.identifier, address)
      await users.setPassword(address, null)
      await users.endEverything(address, 'address_restored', { factors: true })
      await records.verify(user.id, address)
      audit('account.address_restored', address)
      await this.#reset?.send(address)
    })
  }

  async #work(identifier: string, address: string): Promise<void> {
    const { book, users, mails } = this.#parts
    const user = await usableUser(this.#parts, identifier)
    if (user === null || identifier === address) return
    const locale = await localeOf(this.#parts, user.id)
    if ((await users.find(address)) !== null || (await book.isOpen('undo', address))) {
      await mails.send('taken', { to: address, locale })
      return
    }
    const lifeMs = this.#section.minutes * MINUTE_MS
    const bound = { subject: user.id, identifier, address }
    const secret = await book.issue({ purpose: 'address', key: user.id, ...bound, lifeMs })
    await mails.send('address', { to: address, locale, token: ['address', secret] })
  }

  async #tellOldAddress(
    { id, identifier }: Pick<AccountView, 'id' | 'identifier'>,
    address: string,
    locale: string | null
  ): Promise<void> {
    const { book, mails } = this.#parts
    const lifeMs = this.#section.undoDays * DAY_MS
    const secret = await book.issue({ purpose: 'undo', key: identifier, subject: id, address: identifier, lifeMs })
    await mails.send('moved', { to: identifier, address, locale, token: ['undo', secret] })
  }

  async #rename(identifier: string, next: string): Promise<void> {
    try {
      await this.#parts.users.rename(identifier, next)
    } catch (error) {
      throw error instanceof DuplicateRecord ? new AddressTaken() : error
    }
  }
}
