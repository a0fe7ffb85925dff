/**
 * svc-organizations: organisations, their members and roles, invitations, keys; and the organisation of each request and job.
 *
 * Decorates  fastify.organizations; sets request.organization
 * Hooks      onRequest, behind the firewall: the organisation that the request names. onReady: starts a purge; onClose: ends it
 * Needs      svc-security with accounts (svc-limits is added when absent); svc-mail for invitations, svc-jobs for deletion
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import {
  BootError,
  currentRequest,
  decoratorOf,
  definePlugin,
  ensureKernel,
  readOptions,
  systemClock
} from 'svc-kernel'
import { serverHooks } from 'svc-kernel/plugin'
import svcLimits from 'svc-limits'
import type { Jury } from 'svc-security'
import { ensureStores } from 'svc-stores'
import { ActiveOrganizations } from './active/active-organizations.ts'
import { jobOrganizations, type TakenOrganization } from './active/job-organizations.ts'
import { describeRefusals, organizationHook, setActive } from './active/organization.hook.ts'
import { OrganizationVoter } from './active/organization-voter.ts'
import { SocketMembers } from './active/socket-members.ts'
import { adminRoutes } from './api/admin.routes.ts'
import { deletionRoutes, transferRoutes } from './api/closing.routes.ts'
import { domainRoutes } from './api/domains.routes.ts'
import { invitationRoutes } from './api/invitations.routes.ts'
import { keyRoutes } from './api/keys.routes.ts'
import { organizationRoutes } from './api/organizations.routes.ts'
import { bootProblems } from './boot-problems.ts'
import { OrganizationClosing, OrganizationNotFound, OrganizationSuspended } from './errors.ts'
import { openSections } from './open-sections.ts'
import {
  type AskedUser,
  type OrganizationsConfig,
  optionsSchema,
  type SvcOrganizationsOptions,
  type SvcOrganizationsParts
} from './options.ts'
import type { OrganizationParts } from './organization-parts.ts'
import { Organizations } from './organizations.ts'
import { openStores } from './records/open-stores.ts'
import { OrganizationRoles } from './roles/organization-roles.ts'
import { scimRoutes } from './scim/scim.routes.ts'
import { ScimGroups } from './scim/scim-groups.ts'
import { ScimUsers } from './scim/scim-users.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Present if svc-organizations is registered. */
    organizations: Organizations
  }
}

const plugin: FastifyPluginAsync<SvcOrganizationsOptions & { parts?: SvcOrganizationsParts }> = async (
  fastify,
  given
) => {
  const server = serverHooks(fastify, { name: 'svc-organizations', code: 'SVC_ORG_NOT_ROOT' })
  await ensureKernel(fastify)
  const config = readOptions<OrganizationsConfig>('svc-organizations', optionsSchema, given)
  const { parts = {} } = given
  const { clock = systemClock } = parts
  const problems = bootProblems(fastify, config, parts)
  if (problems.length > 0) throw new BootError(problems)
  await ensureStores(fastify, { clock })
  if (!fastify.hasDecorator('limits')) await fastify.register(svcLimits, { parts: { clock } })
  const { userAccounts: users, limits, gates } = fastify
  const stores = openStores(fastify, config.store, parts.stores ?? {})
  const roles = new OrganizationRoles(config.roles)
  const actives = new ActiveOrganizations({ ...stores, roles, users })
  const sockets = new SocketMembers({ actives, clock, renewed: setActive })
  const shared: OrganizationParts = {
    config,
    stores,
    roles,
    actives,
    sockets,
    users,
    limits,
    jobs: decoratorOf(fastify, 'jobs'),
    mail: decoratorOf(fastify, 'mail'),
    clock,
    log: fastify.log.child({ plugin: 'svc-organizations' }),
    provenAddress: async (user) => (parts.provenAddress ?? provenBy(fastify))(user),
    audit: auditOf(fastify)
  }
  const sections = await openSections(fastify, shared, parts)
  const service = new Organizations(shared, sections)
  fastify.decorate('organizations', service)
  ;(fastify.jury as Jury).add(new OrganizationVoter(roles, actives))
  fastify.carriedContexts.add('organization', jobOrganizations(jobCheck(shared)))
  const keyLimits = config.keys === undefined ? null : limits
  server.addHook('onRequest', organizationHook({ actives, naming: config.active, sockets, limits: keyLimits }))
  server.addHook('onRoute', describeRefusals(config.active))
  organizationRoutes(fastify, { service, sections, roles, config })
  adminRoutes(fastify, { service, sections, store: stores.organizations, gates })
  const { path } = config.active
  if (sections.invitations !== null) invitationRoutes(fastify, sections.invitations, path)
  if (sections.transfer !== null) transferRoutes(fastify, sections.transfer, path)
  if (sections.deletion !== null) deletionRoutes(fastify, sections.deletion, path, gates)
  if (sections.domains !== null) domainRoutes(fastify, sections.domains, path)
  const { scim } = config
  if (scim !== undefined) {
    const provisioning = { ...shared, members: sections.members, role: scim.role, groupRoles: scim.groups }
    scimRoutes(fastify, new ScimUsers(provisioning), new ScimGroups(provisioning))
  }
  if (sections.keys !== null) keyRoutes(fastify, sections.keys, path, gates)
}

/** The state of an account, as svc-accounts has it. */
interface AccountsView {
  state(user: AskedUser): Promise<{ readonly verified: boolean }>
}

/** The login name, where svc-accounts says that it is a proven address. */
function provenBy(fastify: FastifyInstance): (user: AskedUser) => Promise<string | null> {
  return async (user) => {
    const accounts = decoratorOf(fastify as unknown as { readonly accounts: AccountsView }, 'accounts')
    return (await accounts?.state(user))?.verified === true ? user.identifier : null
  }
}

/** Whether a job may begin in its organisation. */
function jobCheck({ stores, jobs }: Pick<OrganizationParts, 'stores' | 'jobs'>) {
  return async ({ id, userId }: TakenOrganization): Promise<void> => {
    if (jobs === null) throw new OrganizationNotFound()
    const organization = await stores.organizations.find(id)
    if (organization === null) throw new OrganizationNotFound()
    if (organization.suspendedAt !== null) throw new OrganizationSuspended()
    if (organization.deleteAt !== null) throw new OrganizationClosing()
    if (userId === null) return
    const membership = await stores.memberships.findByUser(id, userId)
    if (membership?.active !== true) throw new OrganizationNotFound()
  }
}

function auditOf(fastify: FastifyInstance): OrganizationParts['audit'] {
  return (action, organization, metadata = {}) => {
    const request = currentRequest()
    decoratorOf(fastify, 'audit')?.record({
      category: 'config',
      action,
      outcome: 'success',
      actor: request?.user?.identifier ?? null,
      resource: organization,
      ip: request?.ip ?? null,
      userAgent: request?.headers['user-agent'] ?? null,
      requestId: request?.id ?? null,
      metadata
    })
  }
}

export default definePlugin(plugin, {
  name: 'svc-organizations',
  optionsSchema,
  after: [
    'svc-stores',
    'svc-docdb',
    'svc-sqlorm',
    'svc-orm',
    'svc-audit',
    'svc-security',
    'svc-limits',
    'svc-jobs',
    'svc-mail',
    'svc-accounts'
  ]
})

export type { OrganizationEntry } from './active/organization-entry.ts'
export type { DomainView } from './domains/organization-domains.ts'
export type { NewOrganizationKey, OrganizationKeys, OrganizationKeyView } from './keys/organization-keys.ts'
export type { OrganizationPart } from './lifecycle/data-parts.ts'
export type { NewOrganization } from './lifecycle/lifecycle.ts'
export type { InvitationMail, InvitationMailData } from './members/invitation-mail.ts'
export type { NewMemberInvitation } from './members/invitations.ts'
export type { MemberView } from './members/members.ts'
export type { AskedUser, SvcOrganizationsOptions, SvcOrganizationsParts, TxtResolver } from './options.ts'
export type { OrganizationOfUser, Organizations, OrganizationView } from './organizations.ts'
