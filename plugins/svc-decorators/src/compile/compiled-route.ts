/** One line of the route listing: what a compiled route answers and what it asks. */
import type { RouteSecurity } from 'svc-kernel'
import type { ControllerRoute } from './route-options.ts'
import { joinPaths } from './route-path.ts'

/** An entry of `fastify.controllers`. */
export interface CompiledRoute extends RouteSecurity {
  /** `GET`, `POST`, ...; `WEBSOCKET` where it answers nothing else. */
  readonly method: string
  /** Full template, with the prefix of the instance. */
  readonly path: string
}

/** @param prefix of the Fastify instance that declares the route */
export function describeRoute({ method, url, config }: ControllerRoute, prefix: string): CompiledRoute {
  const onlySocket = !config.svc.transports.includes('HTTP')
  return Object.freeze({ ...config.svc, method: onlySocket ? 'WEBSOCKET' : method, path: joinPaths(prefix, url) })
}
