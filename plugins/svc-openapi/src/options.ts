/** What an operator may set. */
import type { OptionsSchema } from 'svc-kernel'

/** A security scheme object of OpenAPI 3.1. */
export type SecurityScheme = Readonly<Record<string, unknown>>

export interface SvcOpenapiOptions {
  /** Where page and document are served. Default `/svc/docs/api`, which svc-security's built-in zone covers. */
  readonly path?: string
  /** Title of the API. Default: the name of the application. */
  readonly title?: string
  /** Version of the API, not of the framework. Default `0.0.0`. */
  readonly version?: string
  readonly description?: string
  /** Addresses under which the API is reached. Default: the one that serves the document. */
  readonly servers?: ReadonlyArray<{ readonly url: string; readonly description?: string }>
  /** Whether anyone may read it. Default: yes in development, no in production, where `role` is asked for. */
  readonly open?: boolean
  /** Role that may read it where it is not open. Default `ROLE_SVC_ADMIN`. */
  readonly role?: string
  /** Whether the reference page is served besides the document. Default true. */
  readonly page?: boolean
  /** How authenticators of the application's own are described, by name. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>
}

/** Options after the reader: completed with defaults and frozen. */
export interface OpenapiConfig extends SvcOpenapiOptions {
  readonly path: string
  readonly version: string
  readonly role: string
  readonly page: boolean
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
}

export const optionsSchema: OptionsSchema = {
  $id: 'svc-openapi/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    path: { type: 'string', pattern: '^(?:/[A-Za-z0-9._~-]+)+$', default: '/svc/docs/api' },
    title: { type: 'string', minLength: 1 },
    version: { type: 'string', minLength: 1, default: '0.0.0' },
    description: { type: 'string' },
    servers: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['url'],
        properties: { url: { type: 'string', minLength: 1 }, description: { type: 'string' } }
      }
    },
    open: { type: 'boolean' },
    role: { type: 'string', format: 'role', default: 'ROLE_SVC_ADMIN' },
    page: { type: 'boolean', default: true },
    securitySchemes: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['type'],
        properties: { type: { enum: ['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'] } }
      },
      default: {}
    }
  }
}
