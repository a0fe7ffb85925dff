/** Opens the sections that are on, over the stores and plugins that they need. */
import type { FastifyInstance } from 'fastify'
import { decoratorOf } from 'svc-kernel'
import { runInOrganization } from 'svc-kernel/plugin'
import { KEY_LIMIT, ORGANIZATION_LIMIT } from './active/organization.hook.ts'
import { OrganizationDomains } from './domains/organization-domains.ts'
import { InvalidAddress } from './errors.ts'
import { OrganizationKeys } from './keys/organization-keys.ts'
import { OrganizationData } from './lifecycle/data-parts.ts'
import { OrganizationDeletion } from './lifecycle/deletion.ts'
import { Lifecycle } from './lifecycle/lifecycle.ts'
import { invitationMail } from './members/invitation-mail.ts'
import { INVITATION_LIMIT, MemberInvitations } from './members/invitations.ts'
import { Members } from './members/members.ts'
import { OwnershipTransfer } from './members/transfer.ts'
import type { SvcOrganizationsParts, TxtResolver } from './options.ts'
import type { OrganizationParts } from './organization-parts.ts'
import type { Sections } from './organizations.ts'
import { domainStore } from './records/domain-store.ts'
import { organizationInvitationStore } from './records/invitation-store.ts'

/** Seconds between two purges. */
const everyS = 600

export async function openSections(
  fastify: FastifyInstance,
  shared: OrganizationParts,
  given: SvcOrganizationsParts
): Promise<Sections> {
  const { config, limits, jobs, stores, clock } = shared
  const within = <T>(id: string, work: () => T): T => {
    const orm = decoratorOf(fastify as unknown as { readonly orm: ScopedOrm }, 'orm')
    return runInOrganization(id, () => (orm === null ? work() : orm.withScope({ organization: id }, work)))
  }
  const members = new Members(shared)
  const data = new OrganizationData()
  describe(data, shared)
  if (config.keys !== undefined) {
    limits.define(KEY_LIMIT, { rate: config.keys.rate }, 'svc-organizations.keys.rate')
    limits.define(ORGANIZATION_LIMIT, { rate: config.keys.organizationRate }, 'svc-organizations.keys.organizationRate')
  }
  const keys = config.keys === undefined ? null : new OrganizationKeys(shared, fastify.tokens.apiKeys)
  const deletion =
    config.deletion === undefined || jobs === null
      ? null
      : new OrganizationDeletion({ ...shared, data, within, keys }, jobs, config.deletion)
  const lifecycle = new Lifecycle({ ...shared, keys })
  const transfer = config.transfer === undefined ? null : new OwnershipTransfer({ ...shared, members })
  const invitations = await openInvitations(shared, given, members)
  if (invitations !== null) {
    const work = () => stores.organizationInvitations.purge()
    const { brick } = organizationInvitationStore
    fastify.maintenance.declare({ name: 'organization-invitations', store: brick, everyS, clock, work })
  }
  const domains = openDomains(fastify, shared, given)
  return { lifecycle, members, data, within, invitations, transfer, deletion, keys, domains }
}

function openDomains(
  fastify: FastifyInstance,
  shared: OrganizationParts,
  { resolveTxt }: SvcOrganizationsParts
): OrganizationDomains | null {
  const { domains: section } = shared.config
  if (section === undefined) return null
  const resolve: TxtResolver = resolveTxt ?? (async (name) => (await import('node:dns/promises')).resolveTxt(name))
  const domains = new OrganizationDomains({ ...shared, section, resolve })
  fastify.signInRules.requireProvider((identifier) => domains.providerOf(identifier))
  const { clock } = shared
  const { brick } = domainStore
  const work = () => domains.recheck()
  fastify.maintenance.declare({ name: 'organization-domains', store: brick, everyS, clock, work })
  return domains
}

interface ScopedOrm {
  withScope<T>(scopes: Readonly<Record<string, string>>, work: () => T): T
}

async function openInvitations(
  shared: OrganizationParts,
  given: SvcOrganizationsParts,
  members: Members
): Promise<MemberInvitations | null> {
  const { invitations: section } = shared.config
  if (section === undefined || shared.mail === null) return null
  const { readAddress: read } = await import('svc-mail')
  shared.limits.define(INVITATION_LIMIT, { rate: section.rate }, 'svc-organizations.invitations.rate')
  const readAddress = (text: string): string => {
    try {
      const { name, address } = read('address', text.normalize('NFC').trim())
      if (name === '' && !/[<>]/.test(text)) return address
    } catch {
      // What svc-mail says of it names no fault that an address line could show.
    }
    throw new InvalidAddress()
  }
  const mailOf = given.invitationMail ?? invitationMail
  return new MemberInvitations({ ...shared, members, section, mailOf, readAddress, sender: shared.mail })
}

/** What this package has of an organisation. It goes with the organisation. */
function describe(data: OrganizationData, { stores }: OrganizationParts): void {
  data.add('organization', { export: ({ id }) => stores.organizations.find(id) })
  data.add('members', {
    export: async ({ id }) => {
      const members = await stores.memberships.list(id, 100_000, 0)
      return members.map(({ identifier, role, active, createdAt }) => ({
        identifier,
        role,
        active,
        joinedAt: createdAt
      }))
    }
  })
}
