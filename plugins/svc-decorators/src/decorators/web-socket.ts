/** `@WebSocket`: the method answers each message of a WebSocket connection. */
import { callSite } from '../declarations/call-site.ts'
import type { MethodOnly } from '../declarations/declare.ts'
import { declareRoute, type ShortRouteSettings } from './declare-route.ts'

/**
 * Declares a WEBSOCKET route: the method runs once per message, and its result
 * is sent back as one JSON text frame. `schema.body` validates the message.
 *
 * @param path appended to the prefix of the controller; a GET route of the same path may stand beside it
 * @param settings `name`, `schema` and other Fastify route options
 */
export function WebSocket(
  path?: string,
  settings?: Omit<ShortRouteSettings, 'bodyLimit' | 'exposeHeadRoute'>
): MethodOnly {
  return declareRoute('WebSocket', ['WEBSOCKET'], path, settings, callSite(WebSocket))
}
