/** Section `oauth2`: logins at OpenID Connect providers. Giving it switches them on. */

export interface OAuth2Provider {
  /** Its issuer, where its discovery document is found. `https`; `http` on the loopback alone. */
  readonly issuer: string
  readonly clientId: string
  /** Absent for a public client. */
  readonly clientSecret?: string
  /** Default `['openid']`. */
  readonly scopes?: readonly string[]
}

export interface OAuth2Options {
  /** Where browsers reach this application, such as `https://shop.example`: callbacks are below it. */
  readonly publicUrl: string
  /** Path that a browser is sent to after a login or a link; with `mfaRequired` in its query while a code is due. Default `/`. */
  readonly landingPath?: string
  readonly providers: Readonly<Record<string, OAuth2Provider>>
}

export interface OAuth2Config extends Required<OAuth2Options> {
  readonly providers: Readonly<Record<string, OAuth2Provider & Required<Pick<OAuth2Provider, 'scopes'>>>>
}

const text = { type: 'string', minLength: 1, maxLength: 2048 } as const

export const oauth2Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['publicUrl', 'providers'],
  properties: {
    publicUrl: { type: 'string', format: 'origin' },
    landingPath: { type: 'string', pattern: '^/(?![/\\\\])', expected: 'a path that begins with one /', default: '/' },
    providers: {
      type: 'object',
      propertyNames: { type: 'string', pattern: '^[a-z0-9-]{1,64}$' },
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['issuer', 'clientId'],
        properties: {
          issuer: {
            type: 'string',
            pattern: '^(?:https://|http://(?:127\\.0\\.0\\.1|localhost)(?::[0-9]+)?(?:/|$))',
            expected: 'an https URL; http on the loopback alone'
          },
          clientId: text,
          clientSecret: text,
          scopes: { type: 'array', default: ['openid'], contains: { const: 'openid' }, items: text }
        }
      }
    }
  }
} as const
