/** Mail: the outbox, or one mail of it. */
import type { PageProps } from '../../app/page.ts'
import { MailList } from './mail-list.tsx'
import { MailView } from './mail-view.tsx'

export default function MailPage({ rest: [number] }: PageProps) {
  return number === undefined ? <MailList /> : <MailView key={number} number={number} />
}
