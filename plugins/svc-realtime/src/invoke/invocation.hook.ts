/**
 * The hook that meets every request made over a socket, once it is routed: only
 * a route that says `config: { realtime: true }` takes it. Requests from outside
 * cost one look into a map.
 */
import type { onRequestHookHandler } from 'fastify'
import { NoIdempotencyGate, NotInvokable } from '../errors.ts'
import { isGated } from './idempotent-routes.ts'
import { isMutation } from './read-call.ts'
import { runs } from './run.ts'

export const meetInvocation: onRequestHookHandler = function meetInvocation(request, _reply, done) {
  const run = runs.get(request.raw)
  if (run === undefined) {
    done()
    return
  }
  const { config } = request.routeOptions
  if (request.is404 || config.realtime !== true) {
    run.refused = true
    done(new NotInvokable())
  } else if (isMutation(request.method) && !isGated(config)) {
    request.log.error(
      { route: config.url },
      'the route was declared before svc-realtime: changes over the socket refused'
    )
    done(new NoIdempotencyGate('the route was declared before svc-realtime was registered'))
  } else {
    done()
  }
}
