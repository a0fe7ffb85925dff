/** `@controller`: the class answers requests, under a prefix. */
import { callSite } from '../declarations/call-site.ts'
import { declarationsOf } from '../declarations/class-declarations.ts'
import { refuseStandard } from '../declarations/declare.ts'
import { showCall } from '../declarations/show-call.ts'

/**
 * Declares a controller class. One instance is made per request and per
 * WebSocket message: `new Class(fastify)`, then `initialize(ctx)` where it exists.
 *
 * @param prefix put before the path of each of its routes; may hold parameters, such as `/orgs/:org`
 */
export function controller(prefix = ''): (target: object, standard?: unknown) => void {
  const declaration = { decorator: showCall('controller', [prefix || undefined]), source: callSite(controller), prefix }
  return (target, standard) => {
    refuseStandard(declaration, standard)
    declarationsOf(target).controller = declaration
  }
}
