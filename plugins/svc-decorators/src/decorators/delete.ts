/** `@Delete`: the method answers DELETE requests. */
import { callSite } from '../declarations/call-site.ts'
import type { MethodOnly } from '../declarations/declare.ts'
import { declareRoute, type ShortRouteSettings } from './declare-route.ts'

/**
 * Declares a DELETE route (spec, "Declaring routes and access").
 *
 * @param path appended to the prefix of the controller; absent or `/` is the prefix itself
 * @param settings `name`, `schema` and other Fastify route options
 */
export function Delete(path?: string, settings?: ShortRouteSettings): MethodOnly {
  return declareRoute('Delete', ['DELETE'], path, settings, callSite(Delete))
}
