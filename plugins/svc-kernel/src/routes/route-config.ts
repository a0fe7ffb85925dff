/**
 * The config of the route that a request matched. `request.routeOptions` makes an object of twelve fields each time it
 * is read, measured at a fiftieth of a request. So the field in which Fastify keeps the route is found once, by its name
 * and by what it holds, and read from then on; a Fastify that keeps it otherwise is asked by `routeOptions`.
 */
import type { FastifyContextConfig, FastifyRequest } from 'fastify'

/** Without `url` it is that of a not-found handler. */
export type RouteConfig = FastifyContextConfig & { readonly url?: string }

/** What Fastify calls the field. */
const NAME = 'fastify.context'

type Keyed = FastifyRequest & Readonly<Record<symbol, { readonly config?: RouteConfig } | undefined>>

/** One for each plugin that asks on every request. */
export function routeConfigReader(): (request: FastifyRequest) => RouteConfig {
  let field: symbol | null | undefined

  return function configOf(request) {
    if (field === undefined) field = routeField(request as Keyed)
    const held = field === null ? undefined : (request as Keyed)[field]?.config
    return held ?? (request.routeOptions.config as RouteConfig)
  }
}

/** @returns `null` where no field is sure to be the one */
export function routeField(request: Keyed): symbol | null {
  const { config } = request.routeOptions
  if (config === undefined) return null
  const fields = Object.getOwnPropertySymbols(request).filter((field) => field.description === NAME)
  const [field, ...others] = fields.filter((each) => request[each]?.config === config)
  return field === undefined || others.length > 0 || fields.length > 1 ? null : field
}
