/**
 * The guard of one route, as two route-level hooks that travel with it.
 * `preParsing` decides, before the body is read, so that a refused caller learns
 * nothing from validation; `preHandler` enforces: it refuses unless a positive
 * decision on this very requirement stands on the request.
 */
import type { FastifyInstance, FastifyRequest, preHandlerHookHandler, preParsingHookHandler } from 'fastify'
import { AccessDenied } from '../errors.ts'
import type { Requirement } from './requirement.ts'

const granted = Symbol('svc.granted')

interface DecidedRequest extends FastifyRequest {
  [granted]?: Requirement
}

export interface GuardHooks {
  preParsing: preParsingHookHandler
  preHandler: preHandlerHookHandler
}

export function guardHooks(requirement: Requirement): GuardHooks {
  return {
    preParsing: function decideAccess(request, _reply, payload, done) {
      let pending: void | Promise<void>
      try {
        pending = checkAccess(this, request, requirement)
      } catch (error) {
        done(error as Error)
        return
      }
      if (pending === undefined) {
        ;(request as DecidedRequest)[granted] = requirement
        done(null, payload)
        return
      }
      pending.then(() => {
        ;(request as DecidedRequest)[granted] = requirement
        done(null, payload)
      }, done)
    },
    preHandler: function enforceAccess(request, _reply, done) {
      if ((request as DecidedRequest)[granted] === requirement) done()
      else done(new AccessDenied())
    }
  }
}

/**
 * Puts a requirement before the gate of `fastify`; an instance without a gate denies.
 * Also used for each WebSocket message, where hooks no longer run.
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
