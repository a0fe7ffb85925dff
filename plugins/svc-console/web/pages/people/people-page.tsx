/** People: the users of the application, or one of them. */
import type { PageProps } from '../../app/page.ts'
import { UserAccess } from './user-access.tsx'
import { UserList } from './user-list.tsx'
import { UserPage } from './user-page.tsx'

export default function PeoplePage({ rest: [id, view] }: PageProps) {
  if (id !== undefined && view === 'access') return <UserAccess key={id} id={id} />
  return id === undefined ? <UserList /> : <UserPage key={id} id={id} />
}
