/** Checks a mail before it is stored, and again before it is sent: nothing in it can add a header or a recipient. Pure. */
import { InvalidMail } from '../errors.ts'
import type { MailConfig } from '../options.ts'
import { CONTROLS, readAddress, readAddresses } from './address.ts'
import type { MailAttachment, NewMail, StoredAttachment, StoredMail } from './message.ts'

export type MessageBounds = Pick<MailConfig, 'from' | 'maxRecipients' | 'maxBytes'>

/** Set by the fields of a mail, or by the transport. */
const RESERVED =
  /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|return-path|received|mime-version|content-.*|dkim-.*|resent-.*)$/i
const HEADER_NAME = /^[A-Za-z0-9-]{1,76}$/
const HEADER_CHARACTERS = 900
const SUBJECT_CHARACTERS = 900
const MOST_HEADERS = 50
const MOST_ATTACHMENTS = 50

const FIELDS = new Set(['from', 'to', 'cc', 'bcc', 'replyTo', 'subject', 'text', 'html', 'headers', 'attachments'])

/** @throws InvalidMail, which never repeats a value */
export function checkMessage(given: NewMail, { from, maxRecipients, maxBytes }: MessageBounds): StoredMail {
  const unknown = Object.keys(given).find((field) => !FIELDS.has(field))
  if (unknown !== undefined) throw new InvalidMail(`a mail has no field "${unknown}"`)
  const mail = {
    from: readAddress('from', given.from ?? from),
    to: readAddresses('to', given.to),
    cc: readAddresses('cc', given.cc),
    bcc: readAddresses('bcc', given.bcc),
    replyTo: readAddresses('replyTo', given.replyTo),
    subject: line('subject', given.subject, SUBJECT_CHARACTERS),
    text: textOf(given.text),
    html: given.html === undefined ? null : String(given.html),
    headers: headersOf(given.headers ?? {}),
    attachments: attachmentsOf(given.attachments ?? [])
  }
  if (mail.to.length === 0) throw new InvalidMail('to names no recipient')
  const recipients = mail.to.length + mail.cc.length + mail.bcc.length
  if (recipients > maxRecipients)
    throw new InvalidMail(`it has ${recipients} recipients; expected ${maxRecipients} at most`)
  const bytes = Buffer.byteLength(JSON.stringify(mail))
  if (bytes > maxBytes) throw new InvalidMail(`it takes ${bytes} bytes; expected ${maxBytes} at most`)
  return mail
}

function line(field: string, value: unknown, most: number): string {
  if (typeof value !== 'string' || value === '') throw new InvalidMail(`${field} is no text`)
  if (CONTROLS.test(value)) throw new InvalidMail(`${field} has line breaks or control characters`)
  if (value.length > most) throw new InvalidMail(`${field} has over ${most} characters`)
  return value
}

function textOf(text: unknown): string {
  if (typeof text !== 'string' || text === '')
    throw new InvalidMail('text is missing: every mail has one, beside its html')
  return text
}

function headersOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(headers)
  if (entries.length > MOST_HEADERS) throw new InvalidMail(`it has over ${MOST_HEADERS} headers`)
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (!HEADER_NAME.test(name)) throw new InvalidMail('the name of a header has letters, digits and "-" alone')
      if (RESERVED.test(name)) throw new InvalidMail(`the header ${name} comes from the fields of the mail`)
      return [name, line(`the header ${name}`, value, HEADER_CHARACTERS)]
    })
  )
}

function attachmentsOf(given: readonly MailAttachment[]): StoredAttachment[] {
  if (!Array.isArray(given)) throw new InvalidMail('attachments is no list')
  if (given.length > MOST_ATTACHMENTS) throw new InvalidMail(`it has over ${MOST_ATTACHMENTS} attachments`)
  return given.map(({ filename, contentType, cid, content }: MailAttachment) => {
    if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
      throw new InvalidMail('the content of an attachment is a text or bytes')
    }
    if (contentType !== undefined && !/^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/.test(contentType)) {
      throw new InvalidMail('the content type of an attachment is like text/csv')
    }
    if (cid !== undefined && !/^[\w.@-]{1,200}$/.test(cid))
      throw new InvalidMail('a cid has letters, digits and . @ - _')
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
    return {
      filename: line('the file name of an attachment', filename, 200),
      contentType: contentType ?? null,
      cid: cid ?? null,
      base64: bytes.toString('base64')
    }
  })
}
