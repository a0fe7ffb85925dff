/**
 * Reads the config of the matched route. `request.routeOptions` creates an object of twelve fields on each read, a
 * fiftieth of a request. So this finds the field that holds the route once, by name and content, and reads it from
 * then on. If Fastify changes that field, it falls back to `routeOptions`.
 */
import type { FastifyContextConfig, FastifyRequest } from 'fastify'

/** Without `url`, the config is that of a not-found handler. */
export type RouteConfig = FastifyContextConfig & { readonly url?: string }

/** The name of the field in Fastify. */
const NAME = 'fastify.context'

type Keyed = FastifyRequest & Readonly<Record<symbol, { readonly config?: RouteConfig } | undefined>>

/** Create one for each plugin that reads the config on every request. */
export function routeConfigReader(): (request: FastifyRequest) => RouteConfig {
  let field: symbol | null | undefined

  return function configOf(request) {
    if (field === undefined) field = routeField(request as Keyed)
    const held = field === null ? undefined : (request as Keyed)[field]?.config
    return held ?? (request.routeOptions.config as RouteConfig)
  }
}

/** @returns `null` if no field matches with certainty */
export function routeField(request: Keyed): symbol | null {
  const { config } = request.routeOptions
  if (config === undefined) return null
  const fields = Object.getOwnPropertySymbols(request).filter((field) => field.description === NAME)
  const [field, ...others] = fields.filter((each) => request[each]?.config === config)
  return field === undefined || others.length > 0 || fields.length > 1 ? null : field
}
