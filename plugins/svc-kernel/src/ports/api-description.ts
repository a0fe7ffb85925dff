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
  /** Channels that clients listen to over a WebSocket route of the application, for its AsyncAPI document. */
  readonly channels?: readonly ApiChannel[]
}

/** A channel: many share one socket, and each has a guard of its own. */
export interface ApiChannel {
  /** Its name; `{name}` stands for a part that varies. */
  readonly address: string
  /** Path of the WebSocket route that carries its frames. */
  readonly socket: string
  readonly description?: string
  /** What a client needs to listen, as `describeRequirement` says it; `null`: nothing. */
  readonly guard: string | null
  /** By name. */
  readonly frames: Readonly<Record<string, ApiFrame>>
}

/** What is sent over a channel. */
export interface ApiFrame {
  readonly from: 'client' | 'server'
  readonly description?: string
  /** JSON Schema. */
  readonly schema: object
  /** Names of the frames that answer it, of which one comes. */
  readonly answers?: readonly string[]
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
