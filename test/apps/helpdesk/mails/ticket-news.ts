/** What reporters are told of their tickets. `html` escapes every value that is put into it. */

import { object, text } from 'svc-kernel/schemas'
import { defineMail, html } from 'svc-mail'

interface News {
  readonly subject: string
  readonly news: string
}

export const TicketNews = defineMail('ticket-news', { data: object({ subject: text, news: text }) }, (data: News) => ({
  subject: `Your ticket: ${data.subject}`,
  text: `${data.subject}\n\n${data.news}`,
  html: html`<h1>${data.subject}</h1><p>${data.news}</p>`
}))
