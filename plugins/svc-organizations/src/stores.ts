/** `svc-organizations/stores`: what this package stores, for applications that bring a store of their own. */
export { type ArchiveRecord, type ArchiveStore, archiveStore } from './records/archive-store.ts'
export { type DomainRecord, type DomainStore, domainStore } from './records/domain-store.ts'
export { type GroupRecord, type GroupStore, groupStore } from './records/group-store.ts'
export {
  type OrganizationInvitation,
  type OrganizationInvitationStore,
  organizationInvitationStore
} from './records/invitation-store.ts'
export { type MembershipRecord, type MembershipStore, membershipStore } from './records/membership-store.ts'
export { type OrganizationRecord, type OrganizationStore, organizationStore } from './records/organization-store.ts'
