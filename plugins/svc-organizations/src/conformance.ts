/** The published suites: `svc-organizations/conformance`. */
export { archiveStoreConformance } from './records/archive-store-conformance.ts'
export { domainStoreConformance } from './records/domain-store-conformance.ts'
export { groupStoreConformance } from './records/group-store-conformance.ts'
export { organizationInvitationStoreConformance } from './records/invitation-store-conformance.ts'
export { membershipStoreConformance } from './records/membership-store-conformance.ts'
export { organizationStoreConformance } from './records/organization-store-conformance.ts'
