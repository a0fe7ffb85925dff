/** The port through which mails leave. */
import type { OutgoingMail } from '../messages/message.ts'

/** What a mail server answered. */
export interface Delivery {
  /** The name that the server gave the mail, or its Message-ID. */
  readonly id: string
  /** Recipients that the server did not take, where it took others. */
  readonly refused: number
}

/** Sends mails. */
export interface MailTransport {
  /**
   * Resolves when the server has taken the mail for a recipient at least.
   *
   * @throws MailRefused where another attempt is in vain; after any other error the mail is tried again
   */
  send(mail: OutgoingMail): Promise<Delivery>
  /** Rejects unless the server answers and takes the credentials. */
  verify?(): Promise<void>
  /** Called once, when the application closes. */
  close?(): void | Promise<void>
}
