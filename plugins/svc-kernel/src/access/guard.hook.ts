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
import { AccessDenied, PersonRequired } from '../errors.ts'
import { answerStepUp } from '../http-errors/error-handlers.ts'
import { refusing } from '../http-errors/route-errors.ts'
import { isThenable } from '../promises/maybe-promise.ts'
import type { AccessGate } from './access-gate.ts'
import { proofDemandOf, proofRequirement } from './proof-demand.ts'
import { isStepUp, STEP_UP_ERRORS } from './proof-refusal.ts'
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
      const refused = this.accessGate === undefined ? new AccessDenied() : refusalAt(this.accessGate, request)
      if (refused === null) {
        grant(request, requirement)
        done(null, payload)
      } else if (isThenable(refused)) {
        // `refusal` never rejects.
        void refused.then((settled) => {
          if (settled === null) {
            grant(request, requirement)
            done(null, payload)
          } else if (!isAnswered(settled, request, reply)) done(settled)
        })
      } else if (!isAnswered(refused, request, reply)) done(refused)
    },
    preHandler: function enforceAccess(request, reply, done) {
      if (isGranted(request, requirement)) done()
      else done(denial(reply, new AccessDenied()))
    }
  }
  const refusalAt = (gate: AccessGate, request: FastifyRequest) => gate.refusal(request.token, requirement, request)
  if (requirement.flat().some(({ attribute }) => proofDemandOf(attribute) !== null)) {
    refusing(hooks.preParsing, ...STEP_UP_ERRORS, PersonRequired)
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
  const required = route.config?.proof
  if (stated !== null) return required === undefined ? stated : [...stated, ...proofRequirement(required)]
  const hooks = [route.preParsing ?? []].flat() as readonly { readonly [requirementOfHook]?: Requirement }[]
  const clauses = hooks.flatMap((hook) => hook[requirementOfHook] ?? [])
  return clauses.length === 0 ? null : clauses
}

/** @returns `false` for what an error handler answers */
function isAnswered(refused: Error, request: FastifyRequest, reply: FastifyReply): boolean {
  const error = denial(reply, refused)
  return isStepUp(error) && answerStepUp(error, request, reply)
}

/** Sets the challenge on the reply, where an error handler of the application keeps it. */
function denial(reply: FastifyReply, refused: Error): Error {
  withholdFromCaches(reply)
  const challenge = (refused as { headers?: Readonly<Record<string, unknown>> }).headers?.['www-authenticate']
  if (typeof challenge === 'string') reply.header('www-authenticate', challenge)
  return refused
}

/**
 * For an `onRoute` hook: puts the guard of `config.proof` on the route, behind its other guards.
 *
 * @throws InvalidRequiredProof for a demand that says nothing
 */
export function proveRoute(route: RouteOptions): void {
  const required = route.config?.proof
  const own = [route.preParsing ?? []].flat() as preParsingHookHandler[]
  // Fastify gives the options of a GET to its HEAD, hooks and all.
  if (required === undefined || own.some((hook) => proofHooks.has(hook))) return
  const { preParsing, preHandler } = guardHooks(proofRequirement(required))
  proofHooks.add(preParsing)
  route.preParsing = [...own, preParsing]
  route.preHandler = [preHandler, ...([route.preHandler ?? []].flat() as preHandlerHookHandler[])]
}

const proofHooks = new WeakSet<preParsingHookHandler>()

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
