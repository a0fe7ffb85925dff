/** The published suites: `svc-accounts/conformance`. */
export { accountStoreConformance } from './records/account-store-conformance.ts'
export { tokenStoreConformance } from './tokens/token-store-conformance.ts'
