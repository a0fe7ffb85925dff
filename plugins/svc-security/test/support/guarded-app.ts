/** A Fastify application with svc-security and routes that say who called. */
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { guardHooks, type Requirement, type RouteSecurity } from 'svc-kernel'
import svcSecurity, { type SvcSecurityOptions, type SvcSecurityParts } from '../../src/index.ts'

export async function securedApp(
  options: SvcSecurityOptions & { parts?: SvcSecurityParts },
  server: FastifyServerOptions = {}
): Promise<FastifyInstance> {
  const app = Fastify(server)
  await app.register(svcSecurity, options)
  return app
}

/** A route that answers with its template, the caller and the kind of proof. */
export function echoRoute(
  app: FastifyInstance,
  url: string,
  { method = 'GET', ...security }: Partial<RouteSecurity> & { method?: string } = {}
): void {
  const { requirement = null } = security
  app.route({
    method,
    url,
    config: { svc: routeSecurity(security) },
    ...(requirement === null ? {} : guardHooks(requirement)),
    handler: async (request) => ({
      route: request.routeOptions.url,
      params: request.params,
      who: request.user?.identifier ?? null,
      proof: request.token?.type ?? null
    })
  })
}

export function routeSecurity(given: Partial<RouteSecurity>): RouteSecurity {
  return {
    name: 'Test.route',
    requirement: null,
    anonymous: false,
    bypassFirewall: false,
    transports: ['HTTP'],
    source: null,
    ...given
  }
}

export function requires(...attributes: string[]): Requirement {
  return attributes.map((attribute) => [{ attribute }])
}
