/** Section `jwt`: signed access tokens and the refresh tokens beside them. */

export interface JwtOptions {
  /** `iss` of every token. Default `svc`. */
  readonly issuer?: string
  /** `aud` of every token; a token for somebody else is refused. Default: the issuer. */
  readonly audience?: string
  /** Life of an access token, in seconds. Default 900. */
  readonly accessTtlS?: number
  /** Life of a refresh token, in seconds. Default 604800. */
  readonly refreshTtlS?: number
  /** How far the clock of another instance may be off, in seconds. Default 0. */
  readonly clockToleranceS?: number
  /** The key set itself, as JSON. Wins over `dir`. */
  readonly keySetJson?: string
  /** Folder of `keyset.json`; from the application's folder. Made at the first start. */
  readonly dir?: string
  /** Verified signatures to remember; 0, the default, remembers none. */
  readonly cacheSize?: number
}

export interface JwtConfig extends Required<Omit<JwtOptions, 'audience' | 'keySetJson' | 'dir'>> {
  readonly audience?: string
  readonly keySetJson?: string
  readonly dir?: string
}

const seconds = { type: 'integer', minimum: 1 } as const
const name = { type: 'string', minLength: 1, maxLength: 500 } as const

export const jwtSchema = {
  type: 'object',
  default: {},
  additionalProperties: false,
  properties: {
    issuer: { ...name, default: 'svc' },
    audience: name,
    accessTtlS: { ...seconds, maximum: 86400, default: 900 },
    refreshTtlS: { ...seconds, maximum: 31536000, default: 604800 },
    clockToleranceS: { type: 'integer', minimum: 0, maximum: 300, default: 0 },
    keySetJson: { type: 'string', minLength: 1 },
    dir: { type: 'string', minLength: 1 },
    cacheSize: { type: 'integer', minimum: 0, maximum: 1000000, default: 0 }
  }
} as const
