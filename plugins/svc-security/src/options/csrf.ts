/** Section `csrf`: which pages may change something with a browser's session. */

export interface CsrfOptions {
  /** `false`: changes made with a session need no proof of their page. Default `true`. */
  readonly enabled?: boolean
  /** Origins, besides this host, from which a browser may open a WebSocket or change something. */
  readonly trustedOrigins?: readonly string[]
}

export type CsrfConfig = Required<CsrfOptions>

export const csrfSchema = {
  type: 'object',
  default: {},
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: true },
    trustedOrigins: { type: 'array', default: [], items: { type: 'string', format: 'origin' } }
  }
} as const
