/** Section `passkeys`: registering them and logging in with one. Giving it switches them on. */
import { storeOption } from 'svc-stores'

export interface PasskeysOptions {
  /** Where passkeys are kept. Default `auto`. */
  readonly store?: 'auto' | 'memory' | 'sqlorm' | 'docdb'
  /** The domain that passkeys belong to; they work on it and below it, and can never move to another. */
  readonly rpId: string
  /** Shown by browsers. Default: the application's name. */
  readonly rpName?: string
  /** Pages from which passkeys are taken, such as `https://shop.example`. */
  readonly origins: readonly string[]
}

export type PasskeysConfig = PasskeysOptions & Required<Pick<PasskeysOptions, 'store'>>

export const passkeysSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['rpId', 'origins'],
  properties: {
    store: storeOption,
    rpId: {
      type: 'string',
      maxLength: 253,
      pattern: '^(?!-)[a-z0-9-]+(?:\\.[a-z0-9-]+)*$',
      expected: 'a domain, in lower case, without a port'
    },
    rpName: { type: 'string', minLength: 1, maxLength: 100 },
    origins: { type: 'array', minItems: 1, items: { type: 'string', format: 'origin' } }
  }
} as const
