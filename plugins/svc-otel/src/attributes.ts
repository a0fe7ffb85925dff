/**
 * Names of attributes, in one table: those of the semantic conventions of OpenTelemetry 1.45, whose messaging part is not
 * stable yet, and those of svc. A convention that changes is changed here.
 */
export const ATTRIBUTE = Object.freeze({
  requestMethod: 'http.request.method',
  requestMethodOriginal: 'http.request.method_original',
  route: 'http.route',
  statusCode: 'http.response.status_code',
  scheme: 'url.scheme',
  protocolVersion: 'network.protocol.version',
  errorType: 'error.type',
  function: 'code.function.name',

  dbSystem: 'db.system.name',
  dbNamespace: 'db.namespace',
  dbCollection: 'db.collection.name',
  dbOperation: 'db.operation.name',
  dbSummary: 'db.query.summary',
  dbText: 'db.query.text',

  rpcSystem: 'rpc.system.name',
  rpcMethod: 'rpc.method',

  messagingSystem: 'messaging.system',
  messagingOperation: 'messaging.operation.name',
  messagingOperationType: 'messaging.operation.type',
  messagingDestination: 'messaging.destination.name',
  messageId: 'messaging.message.id',

  zone: 'svc.zone',
  authenticator: 'svc.authenticator',
  tokenType: 'svc.token.type',
  admission: 'svc.admission.outcome',
  admissionReason: 'svc.admission.reason',
  decision: 'svc.decision.attribute',
  decisionSubject: 'svc.decision.subject',
  decisionGranted: 'svc.decision.granted',
  decisionReason: 'svc.decision.reason',
  voter: 'svc.vote.voter',
  vote: 'svc.vote.vote',
  voteReason: 'svc.vote.reason',
  connector: 'svc.connector',
  lane: 'svc.queue.lane',
  attempt: 'svc.queue.attempt',
  verdict: 'svc.queue.verdict',
  endpoint: 'svc.webhook.endpoint',
  eventType: 'svc.webhook.type',
  auditEvent: 'svc.audit.event',
  auditAction: 'svc.audit.action',
  channel: 'svc.realtime.channel'
} as const)

/** Names of the instruments of `metrics: true`; durations in seconds. */
export const METRIC = Object.freeze({
  requests: 'http.server.request.duration',
  statements: 'db.client.operation.duration',
  deliveries: 'svc.webhooks.delivery.duration'
} as const)

/** `error.type` of a failure that has no name. */
export const OTHER_ERROR = '_OTHER'
