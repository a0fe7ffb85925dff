/** `svc-kernel/plugin`: what plugins of svc share beyond what applications use: routes, secrets, problems, ports. */

export type { AccessEngine } from './access/access-gate.ts'
export { checkAccess, requirementOf, withholdFromCaches } from './access/guard.hook.ts'
export {
  FACTOR_NAMES,
  findProof,
  isBearer,
  MAX_AGE_S,
  openDemands,
  type ProofDemand,
  type ProofFinding,
  proofAttributes,
  proofDemandOf,
  stepUpOf
} from './access/proof-demand.ts'
export { isStepUp, proofRefusal, STEP_UP_ERRORS } from './access/proof-refusal.ts'
export { type AttributeCheck, type Clause, describeRequirement } from './access/requirement.ts'
export { currentCause, enclosingCause, withCause } from './context/cause.ts'
export { asksOrganization, organizationOfJob, runInOrganization } from './context/organization.ts'
export { currentTraceparent, runInContext, traceFrom } from './context/request-context.ts'
export { readTraceparent } from './context/traceparent.ts'
export {
  DuplicateName,
  type ExpectedError,
  expectedError,
  InvalidSecretBox,
  InvalidSecretKey,
  RegistrySealed,
  UnscopedAdminRoute
} from './errors.ts'
export { markFormatted } from './http-errors/error-body.ts'
export { answerRepeatedOutage, answerStepUp } from './http-errors/error-handlers.ts'
export { isAnnounced, logFailure, OutageLog } from './http-errors/outage-log.ts'
export { printable, type ReadableError, readableError } from './http-errors/readable-error.ts'
export { errorsOfRoute, type RouteError, refusing } from './http-errors/route-errors.ts'
export { clientNetwork } from './identity/client-network.ts'
export { adoptAccessToken, factorList, toUser, withTraits } from './identity/identity.ts'
export {
  isAmbient,
  isMachine,
  isWritten,
  mayBeCookie,
  type ProofKind,
  type ProofSubject,
  proofKind,
  proofKinds,
  type SaidOfProof
} from './identity/proof-kind.ts'
export {
  type DeclaredSchedule,
  type IdentityCarrier,
  type JobOperation,
  JobOperations
} from './jobs/job-operations.ts'
export { type CarriedIdentity, OperationRun } from './jobs/operation-run.ts'
export { arrivalOf, arrive, limitHooks, limitMessage, limitsOf } from './limits/limit.hook.ts'
export type { LimitEngine, LimitedOperation } from './limits/rate-limit.ts'
export { maskOptions } from './options/mask-options.ts'
export { checkOptions } from './options/read-options.ts'
export type { OptionsSchema } from './options/schema-compiler.ts'
export { BriefMap } from './plugin/brief-map.ts'
export { dataPath } from './plugin/data-path.ts'
export { reserveDecorators } from './plugin/decorator-clash.ts'
export { type PluginMeta, pluginMeta } from './plugin/define-plugin.ts'
export { decorateOff } from './plugin/optional-decorators.ts'
export { randomId } from './plugin/random-id.ts'
export { Registry, renewRegistries } from './plugin/registry.ts'
export { serverHooks } from './plugin/server-hooks.ts'
export type { ApiChannel, ApiFrame, ApiTag } from './ports/api-description.ts'
export {
  type AuditAlert,
  type AuditCatalogueEntry,
  type AuditListing,
  type AuditRange,
  auditAlert
} from './ports/audit-port.ts'
export { CarriedContexts, type ContextCarrier } from './ports/carried-contexts.ts'
export { withTimeout } from './ports/clock.ts'
export { ConnectionDrain, type LastingConnection, SERVICE_RESTART } from './ports/connection-drain.ts'
export { HealthChecks } from './ports/health-checks.ts'
export { type InnerAnswer, type InnerCall, innerCall, type RunningCall } from './ports/inner-call.ts'
export { isInner, isOverSocket, markInvocation, markOperation, openerOf, operationOf } from './ports/inner-requests.ts'
export { type JobAttemptEvent, type JobResult, jobAttempts } from './ports/job-attempts.ts'
export { type QueueBacklog, QueueDepths } from './ports/queue-depths.ts'
export type { GatesPort, JuryExplanation, JuryPort, RightsPort } from './ports/security-port.ts'
export { IDENTITY_OVER, type LiveIdentity } from './ports/socket-identity.ts'
export {
  hearSlowStatements,
  isStatementHeard,
  publishOver,
  publishStatement,
  type StatementFacts,
  statementsAreHeard
} from './ports/statement-events.ts'
export { problemsOf } from './problems/boot-error.ts'
export type { BootReport } from './problems/boot-warnings.ts'
export { missingPackage } from './problems/missing-package.ts'
export { nearestName } from './problems/nearest-name.ts'
export { optionalPackage } from './problems/optional-package.ts'
export { warnProblem } from './problems/problem.ts'
export { andThen, isThenable } from './promises/maybe-promise.ts'
export {
  ADMIN_SCOPE,
  adminChange,
  adminChangeBesides,
  adminRoute,
  routeSecurity,
  strictQuery
} from './routes/admin-route.ts'
export { protectOwnAnswers } from './routes/answer-headers.hook.ts'
export { type ControllerMethod, methodsOf, noteMethods, type RouteMethods } from './routes/controller-methods.ts'
export { changedMeanwhile, ifMatch, tagVersion } from './routes/if-match.ts'
export { type RouteConfig, routeConfigReader } from './routes/route-config.ts'
export {
  type DeclaredRoute,
  type ListedRoute,
  listRoutes,
  type PrintedRoute,
  printedRoutes,
  undeclaredRoutes
} from './routes/route-inventory.ts'
export {
  answerSchema,
  boundedValidation,
  describedAs,
  describedBy,
  jsonSchemaSerializer,
  onFirstUse
} from './routes/route-schemas.ts'
export {
  type Checked,
  isForeignSchema,
  isStandardSchema,
  jsonSchemaOf,
  type SchemaFault,
  type StandardParts,
  standardParts,
  standardValidator
} from './routes/standard-schema.ts'
export { type ValueCheck, type ValueRefusal, valueCheck } from './routes/value-check.ts'
export { KeyedHash } from './secret-box/keyed-hash.ts'
export { developmentSecret, SecretBox, type SecretKey } from './secret-box/secret-box.ts'
export { MASK, safeText } from './secrets/safe-text.ts'
export { isSecretField, isSecretName, mayBeSecretName } from './secrets/secret-names.ts'
export { isSecretParameter, shownUrl } from './secrets/shown-url.ts'
