/** The outbox of svc-mail. */
import type { Mail, MailList } from 'svc-mail/wire'
import { call, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export type { Mail }
export type ListedMail = MailList['mails'][number]

const API = '/svc/mail/api/outbox'

/** All that the outbox has. */
export async function readMails(filter: Readonly<Record<string, string>>): Promise<ListPage<ListedMail>> {
  const { mails } = await call<MailList>('GET', withQuery(API, filter))
  return { rows: mails, next: null }
}

export const readMail = (number: string) => call<Mail>('GET', `${API}/${encodeURIComponent(number)}`)

/** Address of a page that runs and loads nothing. */
export const htmlOf = (number: number) => `${API}/${number}/html`
