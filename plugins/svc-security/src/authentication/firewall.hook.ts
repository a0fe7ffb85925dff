/**
 * The firewall's hook: once per request and once per upgrade, before the body is
 * read and before the 101. It resolves who is calling or refuses; whether the
 * caller may is the guard's question. Synchronous where the authenticators are.
 */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify'
import { type AccessToken, ANONYMOUS, ANONYMOUS_TOKEN, openerOf, withholdFromCaches } from 'svc-kernel'
import { isUpgrade, judgeOrigin } from '../cross-origin/request-origin.ts'
import { ForeignProof, OriginRefused } from '../errors.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { isThenable } from '../promises/maybe-promise.ts'
import type { AuthenticationContext } from './authenticators/authenticator.ts'
import { closeAfterAnswer } from './close-after-answer.ts'
import type { Firewall, RouteConfig } from './firewall.ts'
import { entryOf, judgeCarriage, noteEntry } from './identity-propagation.ts'
import { Refusal, unauthenticated } from './refusal.ts'
import type { Admission, ZoneAuthentication } from './zone-authentication.ts'
import type { Zone } from './zones/zone.ts'

export interface FirewallHookParts {
  readonly firewall: Firewall
  readonly journal: SecurityJournal
  readonly trustedOrigins: ReadonlySet<string>
}

export function firewallHook({ firewall, journal, trustedOrigins }: FirewallHookParts): onRequestHookHandler {
  return function admitRequest(request, reply, done) {
    const route = firewall.treatmentOf(request.routeOptions.config as RouteConfig)
    if (route.bypass) {
      done()
      return
    }
    const upgrade = isUpgrade(request)
    if (upgrade && judgeOrigin(request, trustedOrigins) === 'refused') {
      journal.originRejected(request.headers.origin ?? null, request)
      closeAfterAnswer(reply)
      done(new OriginRefused())
      return
    }
    if (route.anonymous || route.unproven?.(request) === true) {
      admitAnybody(request)
      done()
      return
    }
    const zone = route.byPath ? firewall.zoneOfTarget(request.raw.url ?? '', route.zone) : route.zone
    if (zone === null) done()
    else approachZone(zone, upgrade, request, reply, done)
  }

  function approachZone(
    zone: Zone,
    upgrade: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction
  ): void {
    const opener = openerOf(request)
    if (opener !== null) done(carryIdentity(zone, opener, request))
    else if (!zone.takesCredentials && !upgrade) {
      // Nothing to prove and nobody to ask: measured at half of what such a zone costs a request.
      admitAnybody(request)
      done()
    } else enterZone(zone, upgrade, request, reply, done)
  }

  function enterZone(
    zone: Zone,
    upgrade: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction
  ): void {
    const authentication = firewall.authenticationOf(zone)
    const ctx: AuthenticationContext = {
      request,
      headers: request.headers,
      transport: upgrade ? 'websocket' : 'http',
      zone: zone.name
    }
    const conclude = (admission: Admission): void => {
      const error =
        admission instanceof Refusal
          ? answer(admission, authentication, ctx, reply)
          : admit(authentication, admission, ctx)
      if (upgrade && error !== undefined) closeAfterAnswer(reply)
      done(error)
    }
    const admission = authentication.authenticate(ctx)
    if (isThenable(admission)) admission.then(conclude, done as (error: unknown) => void)
    else conclude(admission)
  }

  /** A request over an open socket: the identity of the socket, where the zone takes its proof, and no other. */
  function carryIdentity(zone: Zone, opener: FastifyRequest, request: FastifyRequest): Error | undefined {
    const entry = entryOf(opener)
    const carriage = judgeCarriage(zone, entry)
    if (carriage === 'nobody') return undefined
    if (carriage === 'refused' || (carriage === 'carry' && opener.token === null)) {
      const failure = { zone: zone.name, authenticator: entry?.authenticator ?? null, status: 401 }
      journal.authenticationFailed({ ...failure, error: new ForeignProof() }, request)
      return unauthenticated().error
    }
    request.user = carriage === 'carry' ? opener.user : ANONYMOUS
    request.token = carriage === 'carry' ? opener.token : ANONYMOUS_TOKEN
    return undefined
  }

  /** A cookie travels from any page; without an `Origin` nothing tells which one, so a session opens no socket then. */
  function admit(
    authentication: ZoneAuthentication,
    token: AccessToken,
    ctx: AuthenticationContext
  ): Error | undefined {
    const { zone } = authentication
    const { request, transport } = ctx
    if (transport === 'websocket') {
      if (token.type === 'session' && request.headers.origin === undefined) {
        journal.originRejected(null, request)
        return new OriginRefused()
      }
      if (!zone.realtime) return undefined
      noteEntry(request, { zone, authenticator: authentication.proverOf(ctx) })
    }
    request.user = token.user
    request.token = token
    if (transport === 'websocket') firewall.realtimeOf(zone).onSuccess(ctx, token)
    return undefined
  }
}

function admitAnybody(request: FastifyRequest): void {
  request.user = ANONYMOUS
  request.token = ANONYMOUS_TOKEN
}

/** Challenge and `Retry-After` are set on the reply, where an error handler of the application keeps them. */
function answer(
  { status, retryAfter, error }: Refusal,
  authentication: ZoneAuthentication,
  ctx: AuthenticationContext,
  reply: FastifyReply
): Error {
  withholdFromCaches(reply)
  const challenge = status === 401 ? authentication.challenge(ctx) : null
  if (challenge !== null) reply.header('www-authenticate', challenge)
  if (retryAfter !== null) reply.header('retry-after', retryAfter)
  return error
}
