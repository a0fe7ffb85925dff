/** `@Patch`: the method answers PATCH requests. */
import { callSite } from '../declarations/call-site.ts'
import type { MethodOnly } from '../declarations/declare.ts'
import { declareRoute, type ShortRouteSettings } from './declare-route.ts'

/**
 * Declares a PATCH route (spec, "Declaring routes and access").
 *
 * @param path appended to the prefix of the controller; absent or `/` is the prefix itself
 * @param settings `name`, `schema` and other Fastify route options
 */
export function Patch(path?: string, settings?: ShortRouteSettings): MethodOnly {
  return declareRoute('Patch', ['PATCH'], path, settings, callSite(Patch))
}
