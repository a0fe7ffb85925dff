/** The options of svc-openapi. */
import type { ConfigOf, OptionsOf } from 'svc-kernel'

const SELECTION = { type: 'array', items: { type: 'string', minLength: 1 } } as const

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
    /**
     * Paths, such as `/api/orders/*`, and tags of the operations that the document has. Without it: all but those that
     * require ROLE_SVC_ADMIN.
     */
    include: SELECTION,
    /** Paths and tags of operations that the document does not have. */
    exclude: SELECTION,
    /** Further documents by name, each at `<path>/<name>` for its own readers. `admin` is built in. */
    documents: {
      type: 'object',
      propertyNames: { pattern: '^(?!(?:json|yaml|static|asyncapi)$)[a-z][a-z0-9-]*$' },
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          /** Title of the document. Without it, the title of the API and the name of the document. */
          title: { type: 'string', minLength: 1 },
          /** Text under the title. */
          description: { type: 'string' },
          /** Paths and tags of its operations. Without it: all. */
          include: SELECTION,
          /** Paths and tags of operations that it does not have. */
          exclude: SELECTION,
          /** Whether everyone may read it. Operations that require ROLE_SVC_ADMIN are left out then. */
          open: { type: 'boolean', default: false },
          /** Role that may read it if it is not open. */
          role: { type: 'string', format: 'role', default: 'ROLE_SVC_ADMIN' }
        }
      },
      default: {}
    },
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

/**
 * Options of svc-openapi as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcOpenapiOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type OpenapiConfig = ConfigOf<typeof optionsSchema>

/** A security scheme object of OpenAPI 3.1. */
export type SecurityScheme = OpenapiConfig['securitySchemes'][string]
