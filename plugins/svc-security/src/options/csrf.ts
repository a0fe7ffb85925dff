/** Section `csrf`: which pages may change something with a browser's session. */

export interface CsrfOptions {
  /** Origins, besides this host, from which a browser may open a WebSocket. */
  readonly trustedOrigins?: readonly string[]
}

export type CsrfConfig = Required<CsrfOptions>

export const csrfSchema = {
  type: 'object',
  default: {},
  additionalProperties: false,
  properties: { trustedOrigins: { type: 'array', default: [], items: { type: 'string', format: 'origin' } } }
} as const
