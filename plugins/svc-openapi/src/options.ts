/** What an operator may set. */
import type { ConfigOf, OptionsOf } from 'svc-kernel'

export const optionsSchema = {
  $id: 'svc-openapi/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Where page and document are served; svc-security's built-in zone covers the default. */
    path: { type: 'string', pattern: '^(?:/[A-Za-z0-9._~-]+)+$', default: '/svc/docs/api' },
    /** Title of the API. Without it, the name of the application. */
    title: { type: 'string', minLength: 1 },
    /** Version of the API, not of the framework. */
    version: { type: 'string', minLength: 1, default: '0.0.0' },
    /** Text under the title. */
    description: { type: 'string' },
    /** Addresses under which the API is reached. Without them, the one that serves the document. */
    servers: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['url'],
        properties: {
          /** An address under which the API is reached; without `servers`, the one that serves the document. */
          url: { type: 'string', minLength: 1 },
          /** What that address is. */
          description: { type: 'string' }
        }
      }
    },
    /** Whether anyone may read it. Without it: yes in development, no in production, where `role` is needed. */
    open: { type: 'boolean' },
    /** Role that may read it where it is not open. */
    role: { type: 'string', format: 'role', default: 'ROLE_SVC_ADMIN' },
    /** Whether the reference page is served besides the document. */
    page: { type: 'boolean', default: true },
    /** How authenticators of the application's own are described, by name. */
    securitySchemes: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['type'],
        properties: {
          /** With the other keys of an OpenAPI security scheme: how the authenticator of that name is described. */
          type: { enum: ['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'] }
        }
      },
      default: {}
    }
  }
} as const

export type SvcOpenapiOptions = OptionsOf<typeof optionsSchema>

/** Options after the reader: completed with defaults and frozen. */
export type OpenapiConfig = ConfigOf<typeof optionsSchema>

/** A security scheme object of OpenAPI 3.1. */
export type SecurityScheme = OpenapiConfig['securitySchemes'][string]
