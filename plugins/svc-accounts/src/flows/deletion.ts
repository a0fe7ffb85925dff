/**
 * Deletion of one's own account. Everything that lets its user in ends at once; the account goes when its days are over,
 * unless its owner cancels, by the link or signed in. A login alone cancels nothing: it offers to.
 */
import type { DataParts } from './data-parts.ts'
import { accountOf, DAY_MS, type FlowParts, localeOf, type SectionOf } from './flow-parts.ts'

const JOB = 'svc.accounts.sweep'
/** Accounts that a sweep removes; the next one is in ten minutes. */
const SWEPT_AT_ONCE = 100

export class Deletion {
  readonly #parts: FlowParts
  readonly #section: SectionOf<'deletion'>
  readonly #data: DataParts

  constructor(parts: FlowParts, section: SectionOf<'deletion'>, data: DataParts) {
    this.#parts = parts
    this.#section = section
    this.#data = data
    parts.jobs.define(JOB, {}, () => this.#sweep())
    parts.jobs.schedule(JOB, '*/10 * * * *', { zone: 'UTC' })
  }

  /**
   * @param identifier of who asks, proven a short while ago
   * @returns when it goes, epoch ms
   * @throws LastAdministrator (409)
   */
  async begin({ id, identifier }: { readonly id: string; readonly identifier: string }): Promise<number> {
    const { users, book, records, mails, clock, rights, audit } = this.#parts
    const user = await users.get(id)
    if (user !== null) await rights.checkLeaving(user)
    const lifeMs = this.#section.graceDays * DAY_MS
    const deleteAt = clock.now() + lifeMs
    await records.setDeletion(id, deleteAt)
    await users.endEverything(identifier, 'deletion')
    audit('account.deletion_requested', identifier, { deleteAt })
    const token = { purpose: 'deletion', key: id, subject: id, identifier, address: identifier, lifeMs } as const
    const secret = await book.issue(token)
    await mails.send('deletion', {
      to: identifier,
      locale: await localeOf(this.#parts, id),
      token: ['deletion', secret]
    })
    return deleteAt
  }

  /** @throws InvalidToken (400) */
  cancelBy(token: string): Promise<void> {
    return this.#parts.book.redeem('deletion', token, async (record) =>
      this.cancel(await accountOf(this.#parts, record))
    )
  }

  /** Of an account that is not to go, it changes nothing. */
  async cancel({ id, identifier }: { readonly id: string; readonly identifier: string }): Promise<void> {
    const { records, mails, audit } = this.#parts
    const record = await records.find(id)
    if (record === null || record.deleteAt === null) return
    await records.setDeletion(id, null)
    await mails.send('cancelled', { to: identifier, locale: record.locale })
    audit('account.deletion_cancelled', identifier)
  }

  /**
   * Each account in steps that can be done again: its row goes last, so that what failed is swept once more. So is an
   * account that has become the last administrator's meanwhile.
   */
  async #sweep(): Promise<void> {
    const { users, book, records, mails, rights } = this.#parts
    const failures: unknown[] = []
    for (const id of await records.due(SWEPT_AT_ONCE)) {
      try {
        const user = await users.get(id)
        const record = await records.find(id)
        if (record?.deleteAt == null) continue
        if (user !== null) {
          await rights.checkLeaving(user)
          await this.#data.erase(user)
          await users.remove(user.identifier)
        }
        await book.eraseOf(id)
        await records.remove(id)
        if (user !== null) await mails.send('deleted', { to: user.identifier, locale: record.locale })
      } catch (error) {
        failures.push(error)
      }
    }
    // One account that cannot go now keeps no other.
    if (failures.length > 0) throw failures[0]
  }
}
