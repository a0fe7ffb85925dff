/** Invitations. Accepting one takes the link that was mailed, so it proves the address as well. */
import { DuplicateRecord } from 'svc-stores'
import { readMailAddress } from '../addresses/mail-address.ts'
import { AddressTaken, InvitationNotFound } from '../errors.ts'
import type { TokenRecord } from '../tokens/account-tokens.ts'
import { DAY_MS, type FlowParts, type SectionOf } from './flow-parts.ts'
import type { Redemption } from './sign-up.ts'

/** Whom to invite, and the roles of the account that this opens. */
export interface NewInvitation {
  readonly address: string
  readonly roles: readonly string[]
  /** Language of the mail, and of the account. */
  readonly locale?: string
}

/** An invitation that was not accepted yet. Times are epoch ms. */
export interface InvitationView {
  readonly ref: string
  readonly address: string
  readonly roles: readonly string[]
  readonly invitedAt: number
  readonly expiresAt: number
}

/** The newest of them that are listed. */
const MOST_LISTED = 1000

export class Invitations {
  readonly #parts: FlowParts
  readonly #section: SectionOf<'invitations'>

  constructor(parts: FlowParts, section: SectionOf<'invitations'>) {
    this.#parts = parts
    this.#section = section
  }

  /** Of one address, the newest invitation holds. @throws InvalidAddress (400), AddressTaken (409), JobsUnavailable (503) */
  async invite({ address: given, roles, locale }: NewInvitation): Promise<void> {
    const { users, book, mails, audit } = this.#parts
    const address = readMailAddress(given)
    if ((await users.find(address)) !== null) throw new AddressTaken()
    const data = { roles: [...roles], locale: locale ?? null }
    const lifeMs = this.#section.days * DAY_MS
    const secret = await book.issue({ purpose: 'invitation', key: address, address, data, lifeMs })
    await mails.send('invitation', { to: address, locale: locale ?? null, token: ['invitation', secret] })
    audit('account.invited', address, { roles })
  }

  /** The newest 1000 that are open. */
  async list(): Promise<readonly InvitationView[]> {
    const open = await this.#parts.book.list('invitation', MOST_LISTED)
    return open.map((record) => {
      const { id: ref, address, createdAt: invitedAt, expiresAt } = record
      return { ref, address, roles: dataOf(record).roles, invitedAt, expiresAt }
    })
  }

  /** @throws InvitationNotFound (404) */
  async revoke(ref: string): Promise<void> {
    const { book, audit } = this.#parts
    const record = await book.find(ref)
    if (record?.purpose !== 'invitation' || !(await book.remove(ref))) throw new InvitationNotFound()
    audit('account.invitation_revoked', record.address)
  }

  /** @returns the login name @throws InvalidToken, InvalidPassword (400), AddressTaken (409) */
  accept({ token, password }: Redemption): Promise<string> {
    return this.#parts.book.redeem('invitation', token, async (record) => {
      const { users, records, audit } = this.#parts
      const { roles, locale } = dataOf(record)
      const { address } = record
      try {
        const id = await users.create({ identifier: address, password, roles })
        await records.verify(id, address)
        if (locale !== null) await records.setLocale(id, locale)
      } catch (error) {
        throw error instanceof DuplicateRecord ? new AddressTaken() : error
      }
      audit('account.accepted', address)
      return address
    })
  }
}

function dataOf({ data }: TokenRecord): { readonly roles: readonly string[]; readonly locale: string | null } {
  return data as unknown as ReturnType<typeof dataOf>
}
