/**
 * What a plugin adds to the description of the application's API beyond its own
 * routes: `fastify.apiDescriptions`, a list that svc-openapi reads when the
 * document is first asked for. OpenAPI 3.1 fragments, by section.
 */
export interface ApiDescription {
  /** Requests that the application sends: name to path item. */
  readonly webhooks?: Readonly<Record<string, object>>
  /** Schemas that the fragments refer to: name to JSON Schema, under `#/components/schemas/`. */
  readonly schemas?: Readonly<Record<string, object>>
  readonly tags?: ReadonlyArray<{ readonly name: string; readonly description?: string }>
}
