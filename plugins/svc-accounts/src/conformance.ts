/** The published suites: `svc-accounts/conformance`. */

export { tokenStoreConformance } from 'svc-stores/conformance'
export { accountStoreConformance } from './records/account-store-conformance.ts'
