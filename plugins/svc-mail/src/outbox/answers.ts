/** What the routes of the outbox answer. An undeclared field never leaves. Times are epoch ms. */
import { integer, listOf, mapOf, object, text, textOrNull } from 'svc-kernel/schemas'

const mailboxes = listOf(object({ name: text, address: text }))

const listed = {
  number: integer,
  sentAt: integer,
  messageId: text,
  from: object({ name: text, address: text }),
  to: mailboxes,
  cc: mailboxes,
  bcc: mailboxes,
  subject: text
}

export const mails = object({ mails: listOf(object(listed)) })

export const mail = object({
  ...listed,
  replyTo: mailboxes,
  text,
  html: textOrNull,
  headers: mapOf(text),
  attachments: listOf(object({ filename: text, contentType: textOrNull, bytes: integer }))
})
