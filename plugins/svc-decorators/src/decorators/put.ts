/** `@Put`: the method answers PUT requests. */
import { callSite } from '../declarations/call-site.ts'
import type { MethodOnly } from '../declarations/declare.ts'
import { declareRoute, type ShortRouteSettings } from './declare-route.ts'

/**
 * Declares a PUT route (spec, "Declaring routes and access").
 *
 * @param path appended to the prefix of the controller; absent or `/` is the prefix itself
 * @param settings `name`, `schema` and other Fastify route options
 */
export function Put(path?: string, settings?: ShortRouteSettings): MethodOnly {
  return declareRoute('Put', ['PUT'], path, settings, callSite(Put))
}
