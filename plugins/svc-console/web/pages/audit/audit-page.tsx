/** The journal: its list, or one event. */
import type { PageProps } from '../../app/page.ts'
import { EventList } from './event-list.tsx'
import { EventPage } from './event-page.tsx'

export default function AuditPage({ rest: [id] }: PageProps) {
  return id === undefined ? <EventList /> : <EventPage key={id} id={id} />
}
