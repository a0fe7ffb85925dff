/**
 * The hook of the firewall: once per request and once per upgrade, before the body is read and before the 101. It
 * finds out who is calling, or refuses; then it checks the page behind the request. Whether the caller may is decided
 * by the guard. Synchronous if the authenticators are.
 */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify'
import { type AccessToken, ANONYMOUS, ANONYMOUS_TOKEN, requestChannels } from 'svc-kernel'
import {
  andThen,
  answerRepeatedOutage,
  answerStepUp,
  arrivalOf,
  arrive,
  isInner,
  isStepUp,
  isThenable,
  isWritten,
  openerOf,
  operationOf,
  routeConfigReader,
  withholdFromCaches
} from 'svc-kernel/plugin'
import { type CsrfGuard, checkOrigin } from '../cross-origin/csrf-guard.ts'
import { OriginRefused } from '../errors.ts'
import { impersonationRefusal, nameBoth } from '../impersonation/impersonation-gate.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { ANONYMOUS_NAME, type AuthenticationContext } from './authenticators/authenticator.ts'
import type { Firewall, RouteAccessPolicy } from './firewall.ts'
import { propagateIdentity, recordHandshake } from './identity-propagation.ts'
import type { JobIdentities } from './job-identities.ts'
import { Refusal } from './refusal.ts'
import type { Admission, ZoneAuthentication } from './zone-authentication.ts'
import type { Zone } from './zones/zone-map.ts'

export interface FirewallHookParts {
  readonly firewall: Firewall
  readonly journal: SecurityJournal
  readonly trustedOrigins: ReadonlySet<string>
  /** Checks the page behind a request once its caller is known. */
  readonly csrf: () => Pick<CsrfGuard, 'check'>
  /** Who runs of jobs run as. */
  readonly jobs: () => Pick<JobIdentities, 'admit'>
}

export function firewallHook({
  firewall,
  journal,
  trustedOrigins,
  csrf,
  jobs
}: FirewallHookParts): onRequestHookHandler {
  const configOf = routeConfigReader()

  return function admitRequest(request, reply, done) {
    // Scopes that were created before the kernel do not have these fields.
    if (request.token === undefined) {
      request.user = null
      request.token = null
    }
    const config = configOf(request)
    const limited = arrivalOf(config)
    if (limited === undefined) {
      admitArrived(firewall.policyOf(config), request, reply, done)
      return
    }
    const refusal = arrive(this, limited, request, reply)
    void andThen(refusal, (refused) => admitWithin(refused, request, reply, done))
  }

  /** Limits by address come before any proof is looked at. */
  function admitWithin(
    refusal: Error | null,
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction
  ) {
    if (refusal === null) {
      admitArrived(firewall.policyOf(configOf(request)), request, reply, done)
      return
    }
    if (isUpgrade(request)) closeAfterAnswer(reply)
    done(refusal)
  }

  function admitArrived(
    policy: RouteAccessPolicy,
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction
  ): void {
    if (policy.bypass) {
      pass(request, done)
      return
    }
    const upgrade = isUpgrade(request)
    if (upgrade && checkOrigin(request, trustedOrigins) === 'refused') {
      journal.originRejected(request.headers.origin ?? null, request)
      closeAfterAnswer(reply)
      done(new OriginRefused())
      return
    }
    if (policy.anonymous || policy.unproven?.(request) === true) {
      admitAnonymous(request)
      pass(request, done)
      return
    }
    const zone = policy.byPath ? firewall.zoneOfTarget(request.raw.url ?? '', policy.zone) : policy.zone
    if (zone === null) pass(request, done)
    else enterZone(zone, upgrade, request, reply, done)
  }

  function enterZone(
    zone: Zone,
    upgrade: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction
  ): void {
    if (isInner(request)) {
      enterInner(zone, request, done)
      return
    }
    if (!zone.takesCredentials && !upgrade) {
      // Fast path without a credential and without an authenticator to ask: half the cost of such a zone.
      admitAnonymous(request)
      if (requestChannels.admission.hasSubscribers) publishAnonymous(zone, request)
      pass(request, done)
      return
    }
    const authentication = firewall.authenticationOf(zone)
    const ctx: AuthenticationContext = {
      request,
      headers: request.headers,
      transport: upgrade ? 'websocket' : 'http',
      zone: zone.name,
      audience: zone.audience
    }
    const admission = authentication.authenticate(ctx)
    if (isThenable(admission)) {
      admission.then((settled) => conclude(settled, authentication, ctx, reply, done), done as (error: unknown) => void)
    } else conclude(admission, authentication, ctx, reply, done)
  }

  /** Requests of this process bring no credential: that of a socket has its identity, the run of a job that of its cause. */
  function enterInner(zone: Zone, request: FastifyRequest, done: HookHandlerDoneFunction): void {
    const opener = openerOf(request)
    const run = operationOf(request)
    if (opener !== null) {
      const refused = propagateIdentity(zone, opener, request, { firewall, journal }) ?? impersonationRefusal(request)
      pass(request, done, refused ?? undefined)
    }
    // `admit` never rejects.
    else if (run !== null) void jobs().admit(zone, run, request).then(done)
  }

  function conclude(
    admission: Admission,
    authentication: ZoneAuthentication,
    ctx: AuthenticationContext,
    reply: FastifyReply,
    done: HookHandlerDoneFunction
  ): void {
    const error =
      admission instanceof Refusal
        ? refuse(admission, authentication, ctx, reply)
        : admit(authentication, admission, ctx)
    if (error !== undefined && isStepUp(error)) challengeAgain(error, reply)
    if (error !== undefined && ctx.transport === 'websocket') closeAfterAnswer(reply)
    if (error !== undefined && answerRepeatedOutage(error, ctx.request, reply)) return
    if (error !== undefined && isStepUp(error) && answerStepUp(error, ctx.request, reply)) return
    pass(ctx.request, done, error)
  }

  /** Checks the page here, because a separate hook costs a hundredth of a request. */
  function pass(request: FastifyRequest, done: HookHandlerDoneFunction, refused?: Error): void {
    if (refused !== undefined || request.token === null) done(refused)
    else done(csrf().check(request) ?? undefined)
  }

  /**
   * Browsers send cookies from any page. Without an `Origin` the page is unknown, so the request may not open a
   * socket.
   */
  function admit(
    authentication: ZoneAuthentication,
    token: AccessToken,
    ctx: AuthenticationContext
  ): Error | undefined {
    const { zone } = authentication
    const { request, transport } = ctx
    if (transport === 'websocket') {
      if (request.headers.origin === undefined && !isWritten(token)) {
        journal.originRejected(null, request)
        return new OriginRefused()
      }
      if (!zone.realtime) return undefined
      recordHandshake(request, { zone, authenticator: authentication.proverOf(ctx) })
    }
    const missing = firewall.missingFactor(zone, token)
    if (missing !== null) {
      journal.factorMissing(token, missing.attribute, request)
      return missing.error
    }
    request.user = token.user
    request.token = token
    const refused = impersonationRefusal(request)
    if (refused !== null) return refused
    nameBoth(request)
    if (transport === 'websocket') firewall.realtimeOf(zone).watch(ctx, token)
    return undefined
  }
}

/** True for a request that opens a WebSocket if it is admitted. */
function isUpgrade({ headers }: FastifyRequest): boolean {
  return headers.upgrade !== undefined && headers.upgrade.toLowerCase() === 'websocket'
}

function admitAnonymous(request: FastifyRequest): void {
  request.user = ANONYMOUS
  request.token = ANONYMOUS_TOKEN
}

function publishAnonymous({ name: zone }: Zone, request: FastifyRequest): void {
  const admitted = {
    authenticator: ANONYMOUS_NAME,
    outcome: 'accepted',
    tokenType: ANONYMOUS_NAME,
    reason: null,
    durationMs: 0
  } as const
  requestChannels.admission.publish({ request, zone, ...admitted })
}

/** Sets the challenge on the reply, where an error handler of the application keeps it. */
function challengeAgain(error: Error, reply: FastifyReply): void {
  const { headers } = error as { headers?: Readonly<Record<string, string>> }
  withholdFromCaches(reply)
  if (headers?.['www-authenticate'] !== undefined) reply.header('www-authenticate', headers['www-authenticate'])
}

/** Sets the challenge and `Retry-After` on the reply, where an error handler of the application keeps them. */
function refuse(
  { status, retryAfter, headers, error }: Refusal,
  authentication: ZoneAuthentication,
  ctx: AuthenticationContext,
  reply: FastifyReply
): Error {
  withholdFromCaches(reply)
  const challenge = status === 401 ? authentication.challenge(ctx) : null
  if (challenge !== null) reply.header('www-authenticate', challenge)
  if (retryAfter !== null) reply.header('retry-after', retryAfter)
  if (headers !== null) reply.headers(headers)
  return error
}

/**
 * Closes the connection of a refused upgrade after its answer. Node does not close a socket that it handed over for an
 * upgrade: a refused caller could hold it open, and the server could not stop.
 */
function closeAfterAnswer(reply: FastifyReply): void {
  const { raw } = reply
  const { socket } = raw
  reply.header('connection', 'close')
  raw.once('finish', () => socket?.destroySoon?.())
}
