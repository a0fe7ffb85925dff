/**
 * The scope of this plugin's own routes: JSON and nothing else, so that no plain
 * form can post to them, and bodies taken as they came.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { strictBodies } from 'svc-kernel'

/** Declares routes under the rules of the security API. What an application parses elsewhere is not parsed here. */
export function securityApi(fastify: FastifyInstance, routes: (scope: FastifyInstance) => void): void {
  fastify.register(async (scope) => {
    scope.setValidatorCompiler(strictBodies)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, scope.getDefaultJsonParser('error', 'error'))
    scope.setErrorHandler(keepRetryAfter)
    routes(scope)
  })
}

/** An error handler of the application may write its own answer; when to come back stays on it. */
function keepRetryAfter(error: unknown, _request: FastifyRequest, reply: FastifyReply): never {
  const { headers } = (error ?? {}) as { headers?: Readonly<Record<string, unknown>> }
  const retryAfter = headers?.['retry-after']
  if (typeof retryAfter === 'string') reply.header('retry-after', retryAfter)
  // On to the handler of the scope around.
  throw error
}
