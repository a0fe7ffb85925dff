/** Section `passwords`: what a password hash costs, and how many are computed at a time. */

export interface PasswordsOptions {
  /** Memory of one argon2id hash, in KiB. Default 19456. */
  readonly memoryKib?: number
  /** Passes over that memory. Default 2. */
  readonly passes?: number
  /** Lanes. Default 1. */
  readonly parallelism?: number
  /** Realm of the Basic challenge. Default `svc`. */
  readonly realm?: string
  /** Hashes computed at a time, on Node's thread pool. Default 2. */
  readonly maxConcurrent?: number
  /** Hashes that may wait; beyond, a login answers 503. Default 64. */
  readonly maxQueue?: number
}

export type PasswordsConfig = Required<PasswordsOptions>

export const passwordsSchema = {
  type: 'object',
  default: {},
  additionalProperties: false,
  properties: {
    memoryKib: { type: 'integer', minimum: 7168, maximum: 1048576, default: 19456 },
    passes: { type: 'integer', minimum: 1, maximum: 99, default: 2 },
    parallelism: { type: 'integer', minimum: 1, maximum: 16, default: 1 },
    maxConcurrent: { type: 'integer', minimum: 1, maximum: 64, default: 2 },
    realm: {
      type: 'string',
      pattern: '^[ !#-\\[\\]-~]{1,100}$',
      expected: 'printable ASCII without quotes and backslashes',
      default: 'svc'
    },
    maxQueue: { type: 'integer', minimum: 0, maximum: 10000, default: 64 }
  }
} as const
