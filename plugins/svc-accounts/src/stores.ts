/** `svc-accounts/stores`: what this package stores, for applications that bring a store of their own. */
export { type AccountRecord, type AccountStore, accountStore } from './records/account-store.ts'
export type { TokenPurpose, TokenRecord } from './tokens/token-record.ts'
export { accountTokenStore, type TokenStore } from './tokens/token-store.ts'
