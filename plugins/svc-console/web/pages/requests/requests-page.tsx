/** Requests: those that were recorded last, or one of them with all that it caused. */
import type { PageProps } from '../../app/page.ts'
import { RequestList } from './request-list.tsx'
import { RequestPage } from './request-page.tsx'

export default function RequestsPage({ rest: [id] }: PageProps) {
  return id === undefined ? <RequestList /> : <RequestPage key={id} id={id} />
}
