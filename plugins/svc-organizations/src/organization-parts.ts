/** What every service of this package stands on. */
import type { FastifyInstance } from 'fastify'
import type { Jobs } from 'svc-jobs'
import type { Clock } from 'svc-kernel'
import type { Limits } from 'svc-limits'
import type { Mail } from 'svc-mail'
import type { UserAccounts } from 'svc-security'
import type { ActiveOrganizations } from './active/active-organizations.ts'
import type { SocketMembers } from './active/socket-members.ts'
import type { AskedUser, OrganizationsConfig } from './options.ts'
import type { Stores } from './records/open-stores.ts'
import type { OrganizationRoles } from './roles/organization-roles.ts'

export interface OrganizationParts {
  readonly config: OrganizationsConfig
  readonly stores: Stores
  readonly roles: OrganizationRoles
  readonly actives: ActiveOrganizations
  readonly sockets: SocketMembers
  readonly users: UserAccounts
  readonly limits: Limits
  /** `null` without svc-jobs. */
  readonly jobs: Jobs | null
  /** `null` without svc-mail. */
  readonly mail: Pick<Mail, 'send'> | null
  readonly clock: Clock
  readonly log: FastifyInstance['log']
  /** The address that a user has proven; `null` for none. */
  readonly provenAddress: (user: AskedUser) => Promise<string | null>
  /** Records what happened to an organisation. */
  readonly audit: (action: string, organization: string, metadata?: Readonly<Record<string, unknown>>) => void
}

export const DAY_MS = 86_400_000
