/** What each brick can be sorted by, and its order when none is asked for. No nullable field is sortable. */
import type { PasskeySortField } from '../contracts/passkeys-store.ts'
import type { SessionSortField } from '../contracts/session-store.ts'
import type { TokenSortField } from '../contracts/tokens-store.ts'
import type { UserSortField } from '../contracts/user-store.ts'
import type { WebhookSortField } from '../contracts/webhooks-store.ts'
import type { SortKey } from './page.ts'

export interface SortFields<Field extends string = string> {
  readonly fields: readonly Field[]
  readonly fallback: SortKey<Field>
}

export interface SortFieldsOf {
  readonly session: SortFields<SessionSortField>
  readonly user: SortFields<UserSortField>
  readonly tokens: SortFields<TokenSortField>
  readonly passkeys: SortFields<PasskeySortField>
  readonly webhooks: SortFields<WebhookSortField>
}

export const sortFields: SortFieldsOf = {
  session: { fields: ['createdAt', 'updatedAt', 'id'], fallback: ['createdAt', 'DESC'] },
  user: {
    fields: ['identifier', 'createdAt', 'updatedAt', 'enabled', 'locked', 'id'],
    fallback: ['identifier', 'ASC']
  },
  tokens: { fields: ['createdAt', 'subject', 'kind', 'id'], fallback: ['createdAt', 'DESC'] },
  passkeys: { fields: ['createdAt', 'userId', 'id'], fallback: ['createdAt', 'DESC'] },
  webhooks: {
    fields: ['createdAt', 'updatedAt', 'url', 'enabled', 'failureCount', 'id'],
    fallback: ['createdAt', 'DESC']
  }
}
