/** Where mails stay in development and tests: the last of them, in memory. */
import type { Clock } from 'svc-kernel'
import { withTimeout } from 'svc-kernel/plugin'
import { NoMail } from '../errors.ts'
import type { Mailbox, OutgoingMail } from '../messages/message.ts'
import type { Delivery, MailTransport } from './mail-transport.ts'

/** A mail in the outbox. */
export interface SentMail extends OutgoingMail {
  /** From 1, in the order of sending. */
  readonly number: number
  /** Epoch ms. */
  readonly sentAt: number
}

/** Which mails; every field that is given has to fit. */
export interface MailFilter {
  /** An address among `to`, `cc` and `bcc`. */
  readonly to?: string
  /** A part of the subject. */
  readonly subject?: string
}

const MOST = 200
const DEFAULT_TIMEOUT_S = 5

/** Holds the last 200 mails, in place of sending them. */
export class Outbox implements MailTransport {
  readonly #clock: Clock
  #mails: SentMail[] = []
  #count = 0
  /** Mails up to this number were returned by `next`. */
  readonly #taken = new Set<number>()
  readonly #waiting = new Set<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async send(mail: OutgoingMail): Promise<Delivery> {
    this.#count += 1
    const sent = { ...mail, number: this.#count, sentAt: this.#clock.now() }
    this.#mails = [...this.#mails, sent].slice(-MOST)
    for (const number of this.#taken) if (number <= this.#count - MOST) this.#taken.delete(number)
    for (const look of this.#waiting) look()
    return { id: mail.messageId, refused: 0 }
  }

  /** Newest first: the last 200. */
  list(filter: MailFilter = {}): readonly SentMail[] {
    return this.#mails.filter((mail) => fits(mail, filter)).reverse()
  }

  /**
   * The oldest mail that fits and that no call of `next` has returned; waits for it where there is none.
   *
   * @throws NoMail (SVC_MAIL_NONE) after `timeoutS`, 5 seconds by default
   */
  async next(filter: MailFilter = {}, { timeoutS = DEFAULT_TIMEOUT_S } = {}): Promise<SentMail> {
    let look = (): void => undefined
    const found = new Promise<SentMail>((resolve) => {
      look = () => {
        const mail = this.#mails.find((mail) => !this.#taken.has(mail.number) && fits(mail, filter))
        if (mail === undefined) return
        this.#taken.add(mail.number)
        this.#waiting.delete(look)
        resolve(mail)
      }
      this.#waiting.add(look)
      look()
    })
    try {
      return await withTimeout(
        timeoutS * 1000,
        this.#clock,
        () => found,
        () => new NoMail(String(timeoutS), this.#there())
      )
    } finally {
      this.#waiting.delete(look)
    }
  }

  /** Forgets all mails. */
  clear(): void {
    this.#mails = []
    this.#taken.clear()
  }

  #there(): string {
    return this.#mails.map(({ to, subject }) => `"${subject}" to ${addresses(to)}`).join('; ') || 'nothing'
  }
}

function fits({ to, cc, bcc, subject }: SentMail, filter: MailFilter): boolean {
  const wanted = filter.to
  if (wanted !== undefined && ![...to, ...cc, ...bcc].some(({ address }) => address === wanted)) return false
  return filter.subject === undefined || subject.includes(filter.subject)
}

function addresses(boxes: readonly Mailbox[]): string {
  return boxes.map(({ address }) => address).join(', ')
}
