/** Which way mails leave: the transport that was passed, the mail server of the options, or the outbox. */
import type { Clock } from 'svc-kernel'
import { BootError } from 'svc-kernel'
import type { MailConfig, SvcMailParts } from '../options.ts'
import type { MailTransport } from './mail-transport.ts'
import { NodemailerTransport } from './nodemailer-transport.ts'
import { Outbox } from './outbox.ts'

export interface TransportQuestion {
  readonly options: MailConfig
  readonly given: SvcMailParts['transport']
  /** `undefined`: an application without a loader, which has to say what it wants. */
  readonly mode: string | undefined
  readonly clock: Clock
}

/** @throws BootError SVC_MAIL_TRANSPORT where mails would leave in no way */
export function chooseTransport({ options, given, mode, clock }: TransportQuestion): MailTransport {
  const { transport, timeoutS, outbox } = options
  if (given !== undefined) return given
  if (outbox === true && mode === 'production') throw noTransport('outbox: true', 'a mail server in production')
  if (outbox === true) return new Outbox(clock)
  if (transport !== undefined) return new NodemailerTransport(transport, timeoutS)
  if (outbox === undefined && (mode === 'development' || mode === 'test')) return new Outbox(clock)
  throw noTransport('none', 'a mail server')
}

function noTransport(got: string, expected: string): BootError {
  return new BootError([
    {
      code: 'SVC_MAIL_TRANSPORT',
      message: 'no mail can leave: svc-mail has no transport',
      at: 'svc-mail.transport',
      got,
      expected,
      fix: "transport: { url: 'smtps://user:password@mail.example.org' }, or outbox: true in development"
    }
  ])
}
