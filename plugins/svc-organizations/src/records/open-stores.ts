/** Opens the stores of the sections that are on. */
import type { FastifyInstance } from 'fastify'
import { BootError } from 'svc-kernel'
import type { StoreDefinition } from 'svc-stores'
import { type ArchiveStore, archiveStore } from './archive-store.ts'
import { type DomainStore, domainStore } from './domain-store.ts'
import { type GroupStore, groupStore } from './group-store.ts'
import { type OrganizationInvitationStore, organizationInvitationStore } from './invitation-store.ts'
import { type MembershipStore, membershipStore } from './membership-store.ts'
import { type OrganizationStore, organizationStore } from './organization-store.ts'

export interface Stores {
  readonly organizations: OrganizationStore
  readonly memberships: MembershipStore
  readonly organizationInvitations: OrganizationInvitationStore
  readonly organizationArchives: ArchiveStore
  readonly organizationDomains: DomainStore
  readonly organizationGroups: GroupStore
}

/** Ready stores by brick. */
export type ReadyStores = Partial<Stores>

/** @throws BootError for a store that is disabled, or whose driver is missing */
export function openStores(fastify: FastifyInstance, configured: string, ready: ReadyStores): Stores {
  const open = <Store extends object>(definition: StoreDefinition<Store>, given: Store | undefined): Store => {
    const { store } = fastify.stores.select(definition, configured, given)
    if (store !== null) return store
    throw new BootError([
      {
        code: 'SVC_ORG_NO_STORE',
        message: `${definition.brick} cannot be stored: no driver of this name is registered`,
        at: 'svc-organizations.store',
        got: configured,
        expected: 'auto | memory | a driver that comes before svc-organizations',
        fix: "register the driver before svc-organizations, or set store: 'auto'"
      }
    ])
  }
  return {
    organizations: open(organizationStore, ready.organizations),
    memberships: open(membershipStore, ready.memberships),
    organizationInvitations: open(organizationInvitationStore, ready.organizationInvitations),
    organizationArchives: open(archiveStore, ready.organizationArchives),
    organizationDomains: open(domainStore, ready.organizationDomains),
    organizationGroups: open(groupStore, ready.organizationGroups)
  }
}
