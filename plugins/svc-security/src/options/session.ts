/** Section `session`: how long a login lasts, where it is kept, and its cookie. */
import { storeOption } from 'svc-stores'

export interface SessionOptions {
  /** Where sessions are kept. Default `auto`. */
  readonly store?: 'auto' | 'memory' | 'sqlorm' | 'docdb'
  /** Seconds without a request after which a session is over; 0 switches the bound off. Default 1800. */
  readonly idleTimeoutS?: number
  /** Seconds after its opening when a session is over, whatever happens; 0 switches the bound off. Default 43200. */
  readonly absoluteTimeoutS?: number
  /** Name of the cookie; `__Host-` is put before it on TLS. Default `svc_session`. */
  readonly cookieName?: string
  /** `Secure` and `__Host-`: `auto` where the request came over TLS, `always` behind a proxy that does not say so. */
  readonly secureCookie?: 'auto' | 'always'
  /** Seconds between two sweeps of expired sessions. Default 600. */
  readonly purgeIntervalS?: number
}

export type SessionConfig = Required<SessionOptions>

const seconds = { type: 'integer', minimum: 0, maximum: 31_536_000 } as const

export const sessionSchema = {
  type: 'object',
  default: {},
  additionalProperties: false,
  properties: {
    store: storeOption,
    idleTimeoutS: { ...seconds, default: 1800 },
    absoluteTimeoutS: { ...seconds, default: 43_200 },
    cookieName: {
      type: 'string',
      pattern: '^(?!__)[A-Za-z0-9_-]{1,64}$',
      expected: 'letters, digits, _ and -, not beginning with __',
      default: 'svc_session'
    },
    secureCookie: { enum: ['auto', 'always'], default: 'auto' },
    purgeIntervalS: { ...seconds, minimum: 1, default: 600 }
  }
} as const
