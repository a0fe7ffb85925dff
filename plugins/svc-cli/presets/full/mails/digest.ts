/** The newest notes, as a mail. `html` escapes every value that is put into it. */
import { defineMail, html } from 'svc-mail'

interface DigestData {
  readonly titles: readonly string[]
}

const data = {
  type: 'object',
  required: ['titles'],
  properties: { titles: { type: 'array', items: { type: 'string' } } }
} as const

export const Digest = defineMail('digest', { data }, ({ titles }: DigestData) => ({
  subject: 'The newest notes',
  text: titles.map((title) => `- ${title}`).join('\n') || 'There are no notes.',
  html: html`<h1>Notes</h1><ul>${titles.map((title) => html`<li>${title}</li>`)}</ul>`
}))
