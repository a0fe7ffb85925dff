/**
 * Sign-up. A request stores what was asked and answers; a job then looks whether the address is free, and mails either
 * the link or, to the owner of the account, that it was tried. The account is made once the link comes back with the
 * password: the link proves the address, and the password that its owner is who signed up.
 */
import { verifyPassword } from 'svc-security'
import { DuplicateRecord } from 'svc-stores'
import { readMailAddress } from '../addresses/mail-address.ts'
import { AddressTaken, WrongSignUpPassword } from '../errors.ts'
import type { TokenRecord } from '../tokens/account-tokens.ts'
import { tokenId } from '../tokens/token-book.ts'
import { accountOf, defineFlowJob, type FlowParts, HOUR_MS, mayMail, type SectionOf } from './flow-parts.ts'

/** Who wants an account. */
export interface NewSignUp {
  readonly address: string
  readonly password: string
  /** Language of its mails. */
  readonly locale?: string
}

/** A token, and the password that goes with it. */
export interface Redemption {
  readonly token: string
  readonly password: string
}

const JOB = 'svc.accounts.sign-up'
const RESEND_JOB = 'svc.accounts.resend'

export class SignUp {
  readonly #parts: FlowParts
  readonly #section: SectionOf<'signUp'>

  constructor(parts: FlowParts, section: SectionOf<'signUp'>) {
    this.#parts = parts
    this.#section = section
    defineFlowJob(parts, JOB, ['id'], ({ id }) => this.#work(id, false))
    defineFlowJob(parts, RESEND_JOB, ['id'], ({ id }) => this.#work(id, true))
  }

  /** @throws InvalidAddress, InvalidPassword (400), PasswordsBusy, JobsUnavailable (503) */
  async begin({ address: given, password, locale }: NewSignUp): Promise<void> {
    const { users, book, jobs } = this.#parts
    const address = readMailAddress(given)
    const passwordHash = await users.hashPassword(password, address)
    if (!(await mayMail(this.#parts, address))) return
    const data = { passwordHash, locale: locale ?? null }
    const lifeMs = this.#section.hours * HOUR_MS
    const id = await book.open({ purpose: 'sign-up', key: address, address, data, lifeMs })
    await jobs.add(JOB, { id })
  }

  /** Sends the link of a sign-up again; the one before ends. @throws InvalidAddress (400), JobsUnavailable (503) */
  async resend(given: string): Promise<void> {
    const address = readMailAddress(given)
    if (!(await mayMail(this.#parts, address))) return
    await this.#parts.jobs.add(RESEND_JOB, { id: tokenId('sign-up', address) })
  }

  /**
   * Completes a sign-up.
   *
   * @returns the login name @throws InvalidToken, WrongSignUpPassword (400), AddressTaken (409)
   */
  verify({ token, password }: Redemption): Promise<string> {
    return this.#parts.book.redeem('sign-up', token, async (record) => {
      const { records, audit } = this.#parts
      const { passwordHash, locale } = dataOf(record)
      if (!(await verifyPassword(password, passwordHash))) throw new WrongSignUpPassword()
      const id = record.subject === null ? await this.#created(record) : (await accountOf(this.#parts, record)).id
      await records.verify(id, record.address)
      if (locale !== null) await records.setLocale(id, locale)
      audit('account.verified', record.address)
      return record.address
    })
  }

  async #work(id: string, again: boolean): Promise<void> {
    const { book, users, mails } = this.#parts
    const record = await book.find(id)
    if (record === null) return
    const { address } = record
    const { locale } = dataOf(record)
    // An address that an account has just left is its owner's until the change cannot be undone any more.
    const isTaken =
      record.subject === null && ((await users.find(address)) !== null || (await book.isOpen('undo', address)))
    if (isTaken) {
      await book.remove(id)
      await mails.send('taken', { to: address, locale })
      return
    }
    if (this.#section.unverified && record.subject === null && !again) await this.#openUnverified(record)
    const secret = await book.arm(id)
    if (secret !== null) await mails.send('verify', { to: address, locale, token: ['sign-up', secret] })
  }

  /** The account exists from now on, and the link only proves its address. */
  async #openUnverified(record: TokenRecord): Promise<void> {
    const { book } = this.#parts
    const { address, data, expiresAt, createdAt } = record
    const subject = await this.#created(record)
    const lifeMs = expiresAt - createdAt
    await book.open({ purpose: 'sign-up', key: address, subject, identifier: address, address, data, lifeMs })
  }

  /** @throws AddressTaken (409): another sign-up with this address was completed meanwhile */
  async #created(record: TokenRecord): Promise<string> {
    const { passwordHash } = dataOf(record)
    const { roles } = this.#section
    try {
      return await this.#parts.users.create({ identifier: record.address, passwordHash, roles })
    } catch (error) {
      throw error instanceof DuplicateRecord ? new AddressTaken() : error
    }
  }
}

function dataOf({ data }: TokenRecord): { readonly passwordHash: string; readonly locale: string | null } {
  return data as unknown as ReturnType<typeof dataOf>
}
