/** `svc-accounts/stores`: what this package stores, for applications that bring a store of their own. */
export { type AccountRecord, type AccountStore, accountStore } from './records/account-store.ts'
export { accountTokenStore, type TokenPurpose, type TokenRecord, type TokenStore } from './tokens/account-tokens.ts'
