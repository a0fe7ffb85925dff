/** Section `users`: where subjects are loaded from, unless `parts.users` loads them. */
import { storeOption } from 'svc-stores'

export interface UsersOptions {
  /** Default `auto`. */
  readonly store?: 'auto' | 'memory' | 'sqlorm' | 'docdb'
}

export type UsersConfig = Required<UsersOptions>

export const usersSchema = {
  type: 'object',
  default: {},
  additionalProperties: false,
  properties: { store: storeOption }
} as const
