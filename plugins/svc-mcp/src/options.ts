/** The options of svc-mcp. Who may call what is decided by the zones and guards of the routes, not here. */
import type { ConfigOf, OptionsOf } from 'svc-kernel'

const text = { type: 'string', minLength: 1 } as const

export const optionsSchema = {
  $id: 'svc-mcp/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Path of the endpoint. Its zone says who may connect. */
    path: { type: 'string', pattern: '^/[\\w./-]*[\\w-]$', default: '/mcp' },
    /** Name of the server, as clients show it. */
    name: { ...text, maxLength: 100, default: 'svc' },
    /** Version of the server, as clients show it. */
    version: { ...text, maxLength: 50, default: '1.0.0' },
    /** What a model should know of the server, beside the descriptions of its tools. */
    instructions: { ...text, maxLength: 4000 },
    /** Authorization servers that issue tokens for the endpoint, for its RFC 9728 metadata. */
    authorizationServers: { type: 'array', default: [], items: { ...text, pattern: '^https?://', expected: 'a URL' } },
    /** Hosts of the endpoint, such as `api.example` or `api.example:8443`, besides that of the audience of its zone. */
    hosts: { type: 'array', default: [], items: { ...text, maxLength: 255 } },
    /** Origins besides that of the audience whose pages may call the endpoint. */
    origins: { type: 'array', default: [], items: { type: 'string', format: 'origin' } },
    /** Folder of Markdown files that become prompts, relative to the application. */
    prompts: text,
    /** Entries per page of a list of tools, resources and prompts. */
    pageSize: { type: 'integer', minimum: 1, maximum: 1000, default: 200 },
    /** Longest time of a tool, in milliseconds. */
    callTimeoutMs: { type: 'integer', minimum: 1, maximum: 600_000, default: 30_000 },
    /** Largest answer of a tool, in bytes. */
    maxAnswerBytes: { type: 'integer', minimum: 1, default: 1_048_576 }
  }
} as const

/**
 * Options of svc-mcp as an application passes them: defaults and bounds are in `docs/reference/options.md`. An unknown key
 * ends the boot.
 */
export type SvcMcpOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type McpConfig = ConfigOf<typeof optionsSchema>
