/**
 * The guard of one route, as two route-level hooks. `preParsing` decides before the body is read, so a refused caller
 * learns nothing from validation. `preHandler` enforces: it refuses unless the request carries a grant of exactly this
 * requirement.
 */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preHandlerHookHandler,
  preParsingHookHandler,
  RouteOptions
} from 'fastify'
import { AccessDenied } from '../errors.ts'
import type { Requirement } from './requirement.ts'

/**
 * The grants of a request: none, one requirement, or several for stacked guards. The kernel declares it, so that
 * setting it does not change the shape of the request object.
 */
export const grantedSlot = Symbol('svc.granted')

/** On the hook that decides: the requirement, for the description of the API. */
export const requirementOfHook = Symbol.for('svc.requirement')

interface DecidedRequest extends FastifyRequest {
  [grantedSlot]?: Requirement | Set<Requirement> | null
}

/** Spread these into route options: `{ ...guardHooks(requirement) }`. */
export interface GuardHooks {
  preParsing: preParsingHookHandler
  preHandler: preHandlerHookHandler
}

/**
 * Guards one route, or, added as hooks, every route of an encapsulated plugin. Without the kernel it refuses with
 * AccessDenied (403).
 */
export function guardHooks(requirement: Requirement): GuardHooks {
  const hooks: GuardHooks = {
    preParsing: function decideAccess(request, reply, payload, done) {
      const verdict = this.accessGate?.judge(request.token, requirement, request) ?? false
      if (verdict === true) {
        grant(request, requirement)
        done(null, payload)
      } else if (verdict === false) {
        done(denial(reply))
      } else {
        // `judge` never rejects.
        void verdict.then((granted) => {
          if (granted) grant(request, requirement)
          done(granted ? null : denial(reply), payload)
        })
      }
    },
    preHandler: function enforceAccess(request, reply, done) {
      if (isGranted(request, requirement)) done()
      else done(denial(reply))
    }
  }
  Object.defineProperty(hooks.preParsing, requirementOfHook, { value: requirement })
  return hooks
}

/**
 * What a route requires: as its `config.svc` says, else as its own guard hooks say. A hook that `addHook` gave to its
 * scope is not seen.
 */
export function requirementOf(route: Pick<RouteOptions, 'config' | 'preParsing'>): Requirement | null {
  const stated = route.config?.svc?.requirement ?? null
  if (stated !== null) return stated
  const hooks = [route.preParsing ?? []].flat() as readonly { readonly [requirementOfHook]?: Requirement }[]
  const clauses = hooks.flatMap((hook) => hook[requirementOfHook] ?? [])
  return clauses.length === 0 ? null : clauses
}

function denial(reply: FastifyReply): Error {
  withholdFromCaches(reply)
  return new AccessDenied()
}

function grant(request: DecidedRequest, requirement: Requirement): void {
  const before = request[grantedSlot]
  if (before === null || before === undefined) request[grantedSlot] = requirement
  else if (before instanceof Set) before.add(requirement)
  else request[grantedSlot] = new Set([before, requirement])
}

function isGranted(request: DecidedRequest, requirement: Requirement): boolean {
  const granted = request[grantedSlot]
  return granted === requirement || (granted instanceof Set && granted.has(requirement))
}

/**
 * Checks a requirement at the gate of `fastify`; an instance without a gate denies. WebSocket messages use it too,
 * because hooks do not run for them.
 *
 * @throws AccessDenied (403), or rejects with it.
 */
export function checkAccess(
  fastify: FastifyInstance,
  request: FastifyRequest,
  requirement: Requirement
): void | Promise<void> {
  const gate = fastify.accessGate
  if (gate === undefined) throw new AccessDenied()
  return gate.check(request.token, requirement, request)
}

const CREDENTIALS = 'authorization, cookie'

/**
 * Sets `Cache-Control: no-store`, and adds the headers that carry credentials to `Vary`. Caches must not store a
 * refusal (RFC 6750, 5.3), nor serve it to a caller with another credential (RFC 9110, 12.5.5).
 */
export function withholdFromCaches(reply: FastifyReply): void {
  const others = reply.getHeader('vary')
  reply.header('cache-control', 'no-store')
  reply.header('vary', others === undefined ? CREDENTIALS : [others, CREDENTIALS].flat().join(', '))
}
