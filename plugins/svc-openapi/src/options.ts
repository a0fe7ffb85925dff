/** The options of svc-openapi. */
import type { ConfigOf, OptionsOf } from 'svc-kernel'

export const optionsSchema = {
  $id: 'svc-openapi/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Path of the page and the document; svc-security's built-in zone covers the default. */
    path: { type: 'string', pattern: '^(?:/[A-Za-z0-9._~-]+)+$', default: '/svc/docs/api' },
    /** Title of the API. Without it, the name of the application. */
    title: { type: 'string', minLength: 1 },
    /** Version of your API. */
    version: { type: 'string', minLength: 1, default: '0.0.0' },
    /** Text under the title. */
    description: { type: 'string' },
    /** Addresses of the API. Without them, the address that serves the document. */
    servers: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['url'],
        properties: {
          /** Address of the API. Without `servers`, the address that serves the document. */
          url: { type: 'string', minLength: 1 },
          /** Description of that address. */
          description: { type: 'string' }
        }
      }
    },
    /** Whether everyone may read the document. Without it: yes in development; production requires `role`. */
    open: { type: 'boolean' },
    /** Role that may read the document if it is not open. */
    role: { type: 'string', format: 'role', default: 'ROLE_SVC_ADMIN' },
    /** Whether the reference page is served beside the document. */
    page: { type: 'boolean', default: true },
    /** Descriptions of your own authenticators, by name. */
    securitySchemes: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['type'],
        properties: {
          /**
           * Type of an OpenAPI security scheme that describes the authenticator of that name; its other keys are
           * allowed too.
           */
          type: { enum: ['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'] }
        }
      },
      default: {}
    }
  }
} as const

export type SvcOpenapiOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type OpenapiConfig = ConfigOf<typeof optionsSchema>

/** A security scheme object of OpenAPI 3.1. */
export type SecurityScheme = OpenapiConfig['securitySchemes'][string]
