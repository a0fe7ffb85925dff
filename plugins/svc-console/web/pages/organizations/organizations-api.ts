/** The admin API of svc-organizations. */
import type {
  AllOrganizations,
  OrganizationDomains,
  OrganizationInvitations,
  OrganizationKeyList,
  OrganizationMembers,
  WholeOrganization
} from 'svc-organizations/wire'
import { call, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

/** Of what shows an organisation, and changes it. */
export interface OrganizationProps {
  readonly organization: WholeOrganization
  /** After a change. */
  readonly onChange: () => void
}

export type ListedOrganization = AllOrganizations['organizations'][number]
export type Member = OrganizationMembers['members'][number]
export type Invitation = OrganizationInvitations['invitations'][number]
export type Key = OrganizationKeyList['keys'][number]
export type Domain = OrganizationDomains['domains'][number]

const API = '/svc/organizations/api/organizations'
const PAGE = 100

const at = (...path: readonly string[]) => [API, ...path.map(encodeURIComponent)].join('/')

type Filter = Readonly<Record<string, string | null>>

export async function readOrganizations(filter: Filter, cursor: string | null): Promise<ListPage<ListedOrganization>> {
  const query = { ...filter, limit: PAGE, offset: cursor }
  const { organizations, hasNext } = await call<AllOrganizations>('GET', withQuery(API, query))
  return { rows: organizations, next: hasNext ? String(Number(cursor ?? 0) + PAGE) : null }
}

export const readOrganization = (id: string) => call<WholeOrganization>('GET', at(id))

export async function readMembers(id: string, cursor: string | null): Promise<ListPage<Member>> {
  const query = { limit: PAGE, offset: cursor }
  const { members, hasNext } = await call<OrganizationMembers>('GET', withQuery(at(id, 'members'), query))
  return { rows: members, next: hasNext ? String(Number(cursor ?? 0) + PAGE) : null }
}

export const removeMember = (id: string, member: string) => call('DELETE', at(id, 'members', member))

export const readInvitations = async (id: string) =>
  (await call<OrganizationInvitations>('GET', at(id, 'invitations'))).invitations

export const revokeInvitation = (id: string, invitation: string) => call('DELETE', at(id, 'invitations', invitation))

export const readKeys = async (id: string) => (await call<OrganizationKeyList>('GET', at(id, 'keys'))).keys

export const revokeKey = (id: string, key: string) => call('DELETE', at(id, 'keys', key))

export const readDomains = async (id: string) => (await call<OrganizationDomains>('GET', at(id, 'domains'))).domains

export const suspend = (id: string, reason: string) => call('POST', at(id, 'suspend'), { reason })

export const resume = (id: string) => call('POST', at(id, 'resume'))

/** @param from id of the membership of an owner @param to that of another member */
export const offerOwnership = (id: string, from: string, to: string) => call('POST', at(id, 'transfer'), { from, to })

export const withdrawOffer = (id: string) => call('DELETE', at(id, 'transfer'))

export const beginDeletion = (id: string) => call('POST', at(id, 'deletion'))

export const cancelDeletion = (id: string) => call('POST', at(id, 'deletion', 'cancel'))

/** What a deletion has exported, for those who may read rows. */
export const readExport = (id: string) => call<object>('GET', at(id, 'deletion', 'export'))
