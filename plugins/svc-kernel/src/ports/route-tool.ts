/** How a route says that it is a tool, or a resource, of the Model Context Protocol; svc-mcp serves those that do. */

/** A route as a tool that a program may choose to call. `true` takes everything from the route. */
export interface RouteTool {
  /** Unique: 1 to 64 letters, digits, `_` and `-`. Default: the name of the route, with `_` for other characters. */
  readonly name?: string
  /** What it does and when to call it, for the model that chooses. Default: `summary` and `description` of the route. */
  readonly description?: string
  /** `true` asks clients to let a person confirm each call. */
  readonly confirm?: boolean
}

/** A GET route as a resource that a program may read. `true` takes everything from the route. */
export interface RouteResource {
  /** Default: the name of the route. */
  readonly name?: string
  /** What it has. Default: `summary` and `description` of the route. */
  readonly description?: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Makes the route a tool of svc-mcp; it does nothing without that. */
    tool?: boolean | RouteTool
    /** Makes a GET route a resource of svc-mcp; it does nothing without that. */
    resource?: boolean | RouteResource
  }
}
