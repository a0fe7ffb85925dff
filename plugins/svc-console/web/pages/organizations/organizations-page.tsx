/** Organisations: all of them, or one. */
import type { PageProps } from '../../app/page.ts'
import { OrganizationList } from './organization-list.tsx'
import { OrganizationPage } from './organization-page.tsx'

export default function OrganizationsPage({ rest: [id, part = 'overview'] }: PageProps) {
  return id === undefined ? <OrganizationList /> : <OrganizationPage key={id} id={id} part={part} />
}
