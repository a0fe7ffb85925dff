/** `@Post`: the method answers POST requests. */
import { callSite } from '../declarations/call-site.ts'
import type { MethodOnly } from '../declarations/declare.ts'
import { declareRoute, type ShortRouteSettings } from './declare-route.ts'

/**
 * Declares a POST route (spec, "Declaring routes and access").
 *
 * @param path appended to the prefix of the controller; absent or `/` is the prefix itself
 * @param settings `name`, `schema` and other Fastify route options
 */
export function Post(path?: string, settings?: ShortRouteSettings): MethodOnly {
  return declareRoute('Post', ['POST'], path, settings, callSite(Post))
}
