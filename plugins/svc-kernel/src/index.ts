/**
 * svc-kernel: the base of every svc plugin. The first plugin registers it, through `ensureKernel`.
 *
 * Decorates  fastify.accessGate, .declaredRoutes, .apiDescriptions, .bootWarnings, .healthChecks, .connectionDrain,
 *            .queueDepths, .limitGate, .jobOperations, .carriedContexts, .outageLog; request.user, .token, .organization,
 *            .liveIdentity
 * Hooks      onRequest (and preValidation, behind @fastify/request-context): enters the request context; onRoute: error
 *            body, compilers, headers and limits of routes; onReady: refuses limits and jobs that nothing runs; onClose
 * Needs      nothing
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { AccessGate } from './access/access-gate.ts'
import { grantedSlot, proveRoute } from './access/guard.hook.ts'
import type { RouteSecurity } from './access/requirement.ts'
import { enterContext, enterContextOf, traceSlot } from './context/request-context.ts'
import { markFormatted } from './http-errors/error-body.ts'
import { answerErrorsOfOurRoutes } from './http-errors/error-handlers.ts'
import { OutageLog } from './http-errors/outage-log.ts'
import type { AccessToken, User } from './identity/identity.ts'
import type { RequiredProof } from './identity/required-proof.ts'
import { JobOperations } from './jobs/job-operations.ts'
import { arrivedSlot, limitRoute, limitSockets } from './limits/limit.hook.ts'
import { LimitGate } from './limits/limit-gate.ts'
import { readOptions } from './options/read-options.ts'
import { optionsSchema } from './options.ts'
import type { AppHost } from './plugin/app-host.ts'
import { reserveDecorators } from './plugin/decorator-clash.ts'
import { definePlugin } from './plugin/define-plugin.ts'
import type { ApiDescription } from './ports/api-description.ts'
import type { AuditPort } from './ports/audit-port.ts'
import { CarriedContexts } from './ports/carried-contexts.ts'
import { ConnectionDrain } from './ports/connection-drain.ts'
import { HealthChecks } from './ports/health-checks.ts'
import { QueueDepths } from './ports/queue-depths.ts'
import type { GatesPort, JuryPort } from './ports/security-port.ts'
import type { LiveIdentity } from './ports/socket-identity.ts'
import type { Problem } from './problems/problem.ts'
import { checkAdminRoute } from './routes/admin-route.ts'
import { protectOwnAnswers } from './routes/answer-headers.hook.ts'
import type { DeclaredRoute } from './routes/route-inventory.ts'
import { compileRoutesOfPlugins } from './routes/route-schemas.ts'

declare module 'fastify' {
  interface FastifyInstance {
    accessGate: AccessGate
    /** Every route declared since the first svc plugin, in order. */
    declaredRoutes: DeclaredRoute[]
    /** Additions of plugins to the API description; they push while they register. */
    apiDescriptions: ApiDescription[]
    /** Present if the module loader loaded the application. */
    appHost: AppHost
    /** Present if svc-audit is registered. */
    audit: AuditPort
    /** The warnings of the boot so far, from `warnAtBoot`. */
    bootWarnings: Problem[]
    /** Of svc-security; reading it throws `SVC_SEC_ACCOUNTS_OFF` if the application has no accounts. */
    gates: GatesPort
    /** Health checks of the application's dependencies; plugins add them while they register, svc-ops runs them. */
    healthChecks: HealthChecks
    /** What goes along with a job from where it is added; plugins add to it while they register. */
    carriedContexts: CarriedContexts
    /** Asks WebSockets to leave before the application stops; connections that last join it. */
    connectionDrain: ConnectionDrain
    /** Lengths of internal queues; plugins add them while they register, svc-ops shows them. */
    queueDepths: QueueDepths
    /** Methods of controllers that are jobs. */
    jobOperations: JobOperations
    /** Present if svc-security is registered. */
    jury: JuryPort
    /** Where the limits of routes meet the plugin that counts them. */
    limitGate: LimitGate
    /** Tells the first failure of an outage from its repetitions. */
    outageLog: OutageLog
  }
  interface FastifyRequest {
    /** The caller's identity; `null` if the firewall found none. */
    user: User | null
    /** The caller's token; `null` if the firewall found none. */
    token: AccessToken | null
    /** Id of the organisation that the request names and its caller belongs to, of svc-organizations; `null` without one. */
    organization: string | null
    /** The identity of a WebSocket that can end; `null` on any other request. */
    liveIdentity: LiveIdentity | null
  }
  interface FastifyContextConfig {
    svc?: RouteSecurity
    /** What the route asks of the proof behind its caller's identity, besides its guard. */
    proof?: RequiredProof
    /** `failures`: the log has a line for answers of 500 and more only, as for health checks. Needs `server.requestLog: 'answers'`. */
    requestLog?: 'failures'
  }
}

const kernel: FastifyPluginAsync = async (fastify, given) => {
  readOptions('svc-kernel', optionsSchema, given)
  fastify.decorate('accessGate', new AccessGate())
  fastify.decorate('declaredRoutes', [])
  fastify.decorate('apiDescriptions', [])
  fastify.decorate('bootWarnings', [])
  fastify.decorate('healthChecks', new HealthChecks())
  const drain = new ConnectionDrain()
  fastify.decorate('connectionDrain', drain)
  fastify.decorate('queueDepths', new QueueDepths())
  const limitGate = new LimitGate()
  fastify.decorate('limitGate', limitGate)
  const jobOperations = new JobOperations()
  fastify.decorate('jobOperations', jobOperations)
  fastify.decorate('carriedContexts', new CarriedContexts())
  fastify.addHook('onReady', async () => {
    limitGate.check()
    jobOperations.check()
  })
  const outageLog = new OutageLog(fastify.log)
  fastify.decorate('outageLog', outageLog)
  fastify.addHook('onClose', async () => {
    drain.end()
    outageLog.close()
  })
  fastify.decorateRequest('user', null)
  fastify.decorateRequest('token', null)
  fastify.decorateRequest('organization', null)
  fastify.decorateRequest('liveIdentity', null)
  fastify.decorateRequest(grantedSlot, null)
  fastify.decorateRequest(traceSlot, null)
  fastify.decorateRequest(arrivedSlot, null)
  reserveDecorators(fastify, 'svc-kernel', ['user', 'token', 'organization', 'liveIdentity'])
  fastify.addHook('onRoute', (route) => {
    checkAdminRoute(route)
    proveRoute(route)
    limitRoute(limitGate, route)
    limitSockets(route)
    fastify.declaredRoutes.push({ url: route.url, options: route })
    protectOwnAnswers(route)
    if (route.schemaErrorFormatter !== undefined) route.schemaErrorFormatter = markFormatted(route.schemaErrorFormatter)
  })
  enterContextOf(fastify)
  // After the body, @fastify/request-context restores the context from before this hook.
  if (fastify.hasPlugin('@fastify/request-context')) fastify.addHook('preValidation', enterContext)
  answerErrorsOfOurRoutes(fastify)
  compileRoutesOfPlugins(fastify)
}

const svcKernel: FastifyPluginAsync = definePlugin(kernel, { name: 'svc-kernel', optionsSchema })

/** Registers the kernel unless this instance has it. Every svc plugin calls it first. */
export async function ensureKernel(fastify: FastifyInstance): Promise<void> {
  if (!fastify.hasDecorator('accessGate')) await fastify.register(svcKernel)
}

export default svcKernel

export { AccessGate } from './access/access-gate.ts'
export { type GuardHooks, guardHooks } from './access/guard.hook.ts'
export { proofRequirement } from './access/proof-demand.ts'
export type { Requirement, RouteSecurity, Transport } from './access/requirement.ts'
export { currentOrganization } from './context/organization.ts'
export { currentRequest, currentToken, currentTraceId, currentUser } from './context/request-context.ts'
export {
  AccessDenied,
  AuthenticationUnavailable,
  ChangedMeanwhile,
  Degraded,
  LimitExceeded,
  LimitUnavailable,
  NotFound,
  PersonRequired,
  ProofDue,
  StepUpRequired
} from './errors.ts'
export { type ErrorBody, type ErrorDetail, errorBody } from './http-errors/error-body.ts'
export {
  type AccessToken,
  type AccessTokenInput,
  ANONYMOUS,
  ANONYMOUS_TOKEN,
  createAccessToken,
  type User
} from './identity/identity.ts'
export { type Carrier, NON_SCOPABLE_TOKEN_TYPES } from './identity/proof-kind.ts'
export type { FactorName, RequiredProof } from './identity/required-proof.ts'
export type {
  CatchUp,
  CurrentJob,
  JobCause,
  JobSettings,
  Overlap,
  Priority,
  ScheduleSettings
} from './jobs/current-job.ts'
export type { RateLimit } from './limits/rate-limit.ts'
export type { ConfigOf, OptionsOf } from './options/options-of.ts'
export { readOptions } from './options/read-options.ts'
export type { Mode } from './plugin/app-host.ts'
export { type AppHost, appHost, inProduction } from './plugin/app-host.ts'
export { definePlugin } from './plugin/define-plugin.ts'
export { decoratorOf } from './plugin/optional-decorators.ts'
export type { ApiDescription, SecurityScheme } from './ports/api-description.ts'
export type { AuditEvent, AuditPort, AuditRecord } from './ports/audit-port.ts'
export { type Carried, CarrierChannel, type CarrierListener, type CarrierStore } from './ports/carrier-channel.ts'
export { type Clock, systemClock } from './ports/clock.ts'
export type { HealthCheck, Outage } from './ports/health-checks.ts'
export {
  type Admission,
  type Decision,
  type DeliveryRun,
  type Enqueuing,
  type EnteredRequest,
  type JobRun,
  type Operation,
  type PublishedMessage,
  type RepositoryCall,
  requestChannels,
  type SocketFrame,
  type Statement,
  type TimedVote
} from './ports/request-channels.ts'
export type { RouteResource, RouteTool } from './ports/route-tool.ts'
export type { TypedChannel } from './ports/typed-channel.ts'
export { BootError } from './problems/boot-error.ts'
export { warnAtBoot } from './problems/boot-warnings.ts'
export type { Problem } from './problems/problem.ts'
export type { MaybePromise } from './promises/maybe-promise.ts'
export type { BodyOf, Infer, StandardSchema } from './routes/standard-schema.ts'
