/** Section `totp`: one-time codes as a second factor. Giving it switches them on. */
import { storeOption } from 'svc-stores'

export interface TotpOptions {
  /** Where enrolments are kept. Default `auto`. */
  readonly store?: 'auto' | 'memory' | 'sqlorm' | 'docdb'
  /** 32 bytes, base64: seals the secrets at rest. Required in production; elsewhere a key of the process is used, with a warning. */
  readonly encryptionKey?: string
  /** Shown by authenticator apps. Default: the application's name. */
  readonly issuer?: string
}

export type TotpConfig = TotpOptions & Required<Pick<TotpOptions, 'store'>>

export const totpSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    store: storeOption,
    encryptionKey: { type: 'string', minLength: 1 },
    issuer: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^:]+$', expected: 'a text without colons' }
  }
} as const
