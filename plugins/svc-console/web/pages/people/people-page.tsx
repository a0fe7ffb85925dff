/** People: the users of the application, or one of them. */
import type { PageProps } from '../../app/page.ts'
import { UserList } from './user-list.tsx'
import { UserPage } from './user-page.tsx'

export default function PeoplePage({ rest: [id] }: PageProps) {
  return id === undefined ? <UserList /> : <UserPage key={id} id={id} />
}
