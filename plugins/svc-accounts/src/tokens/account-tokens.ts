/** The one-time tokens of accounts: links that mails carry. */
import type { TokenRecord as StoredToken, TokenStore as StoreOfTokens } from 'svc-stores/plugin'
import { tokenStore } from 'svc-stores/plugin'

/** What a token is for: it does nothing else. */
export type TokenPurpose = 'sign-up' | 'reset' | 'address' | 'undo' | 'invitation' | 'deletion' | 'export'

/** A token of an account. `id` is made of the purpose and whom it is for. */
export type TokenRecord = StoredToken<TokenPurpose>

export type TokenStore = StoreOfTokens<TokenPurpose>

export const accountTokenStore = tokenStore<TokenPurpose>('accountTokens', {
  name: 'svc_account_token',
  collection: 'account_token'
})
