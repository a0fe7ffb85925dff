/**
 * What a plugin adds to the description of an application's API (OpenAPI 3.1) that its
 * routes do not say. Kept at `fastify.apiDescriptions`; the publisher of the
 * description reads it once every plugin is registered.
 */

/** A fragment; several are merged by key. Plain JSON, so that it can be published as it is. */
export interface ApiDescription {
  /** Requests that the application makes to others: event name to a Path Item Object (OpenAPI 3.1, 4.8.9). */
  readonly webhooks?: Readonly<Record<string, object>>
  /** Components Object: a section such as `schemas` to names to definitions. Names start with that of the plugin. */
  readonly components?: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly tags?: readonly ApiTag[]
}

/** How a credential is described: a Security Scheme Object (OpenAPI 3.1, 4.8.27). */
export interface SecurityScheme {
  readonly type: 'apiKey' | 'http' | 'mutualTLS' | 'oauth2' | 'openIdConnect'
  readonly [key: string]: unknown
}

export interface ApiTag {
  readonly name: string
  readonly description?: string
}
