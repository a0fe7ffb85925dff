/**
 * The scope of this plugin's own routes: JSON and nothing else, so that no plain
 * form can post to them, and bodies taken as they came.
 */
import type { FastifyInstance } from 'fastify'
import { strictBodies } from 'svc-kernel'

/** Declares routes under the rules of the security API. What an application parses elsewhere is not parsed here. */
export function securityApi(fastify: FastifyInstance, routes: (scope: FastifyInstance) => void): void {
  fastify.register(async (scope) => {
    scope.setValidatorCompiler(strictBodies)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, scope.getDefaultJsonParser('error', 'error'))
    routes(scope)
  })
}
