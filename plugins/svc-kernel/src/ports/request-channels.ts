/**
 * What happens to a request and to the work that it causes, for observers: channels of node:diagnostics_channel. Plugins
 * publish only if a channel has subscribers. An event is published when it is over, and says how long it took; work that
 * carries events publishes its start and its end. Never a credential, a body or a parameter of a statement. A channel
 * belongs to the process: the request tells applications apart.
 */
import type { FastifyRequest } from 'fastify'
import type { AuditEvent } from './audit-port.ts'
import { CarrierChannel } from './carrier-channel.ts'
import type { JuryExplanation } from './security-port.ts'
import { typedChannel } from './typed-channel.ts'

/** Who was asked for proof at the door of a zone, and how it ended. */
export interface Admission {
  readonly request: FastifyRequest
  /** Name of the zone. */
  readonly zone: string
  /** Of the authenticator that claimed the request; `null` where none did. */
  readonly authenticator: string | null
  readonly outcome: 'accepted' | 'refused' | 'unclaimed'
  /** Type of the token, where it was accepted. */
  readonly tokenType: string | null
  /** Why not: a short word of the refusal. */
  readonly reason: string | null
  /** It began that long before it is published. */
  readonly durationMs: number
}

/** One vote of a decision, with its time. */
export type TimedVote = JuryExplanation['votes'][number] & {
  /** From the beginning of the decision, ms. */
  readonly atMs: number
  readonly durationMs: number
}

/** One attribute of a guard, decided. */
export interface Decision {
  readonly request: FastifyRequest
  readonly attribute: string
  /** Name of the route parameter that was the subject; `null` without one. */
  readonly subject: string | null
  readonly granted: boolean
  /** `null` exactly when granted. */
  readonly reason: string | null
  /** In order. */
  readonly votes: readonly TimedVote[]
  /** It began that long before it is published. */
  readonly durationMs: number
}

/** A statement of a database, without its values. */
export interface Statement {
  /** Of the connector. */
  readonly connector: string
  /** The product: `sqlite`, `postgresql`, `mongodb`. */
  readonly system?: string
  /** Name of the database, where the driver knows one. */
  readonly namespace?: string
  /** `select`, `insert`, ..., or the command of a document database. */
  readonly kind: string
  /** Table or collection; `null` where the text names none. */
  readonly table: string | null
  /** Its text with `?` for each value, at most 1 000 characters; absent where the driver has none. */
  readonly text?: string
  /** How many it answered or changed; absent where the driver does not know, or it failed. */
  readonly rows?: number
  /** It began that long before it is published. */
  readonly durationMs: number
  readonly failed: boolean
}

/** A message that was published to a channel of svc-realtime. */
export interface PublishedMessage {
  readonly channel: string
}

/** A request enters the application. */
export interface EnteredRequest {
  readonly request: FastifyRequest
}

/** A controller method runs, for a request or for a message of a socket. */
export interface Operation {
  readonly request: FastifyRequest
  /** `Class.method`. */
  readonly name: string
}

/** A frame of a WebSocket is served. */
export interface SocketFrame {
  /** The upgrade request. */
  readonly request: FastifyRequest
  /** The JSON-RPC method of svc-realtime; `null` for a message to a controller. */
  readonly method: string | null
}

/** A call of a repository. */
export interface RepositoryCall {
  /** Of the connector. */
  readonly connector: string
  readonly entity: string
  /** `find`, `create`, ... */
  readonly operation: string
  /** What is asked of the table, without values. */
  readonly plan: string
}

/** A job is handed to a queue. */
export interface Enqueuing {
  /** Name of the queue. */
  readonly queue: string
  readonly lane: string
}

/** A worker makes one attempt at a job. */
export interface JobRun {
  readonly queue: string
  readonly lane: string
  /** `null` for a job that lives in memory and was not run before. */
  readonly id: string | null
  /** From 1. */
  readonly attempt: number
  /** Of the work that caused the job; `null` without a trace. */
  readonly traceparent: string | null
  /** Set when the attempt is over: `done`, `failed`, `retry` or `withdrawn`. */
  verdict?: string
}

/** A webhook is sent. */
export interface DeliveryRun {
  readonly endpointId: string
  /** The audit action, or `webhook.test`. */
  readonly type: string
  /** Id of the audit event. */
  readonly eventId: string
  readonly messageId: string
  /** From 1. */
  readonly attempt: number
  /** Set when it is over: `answered`, `failed` or `abandoned`. */
  outcome?: string
  /** Of the answer. */
  status?: number
}

/**
 * Channels of node:diagnostics_channel that tell what happens to a request, for all applications of the process. A
 * channel without a subscriber costs the reads of a few properties, and no object.
 */
export const requestChannels = Object.freeze({
  admission: typedChannel<Admission>('svc.request.admission'),
  decision: typedChannel<Decision>('svc.request.decision'),
  /** In the context of the request that causes it, as are those that follow: see `currentRequest`. */
  statement: typedChannel<Statement>('svc.request.statement'),
  message: typedChannel<PublishedMessage>('svc.request.message'),
  audit: typedChannel<AuditEvent>('svc.audit.event'),
  /** Before all other hooks. Its start alone is published, again where another plugin loses the context of the request. */
  entry: new CarrierChannel<EnteredRequest>('svc.request.entry'),
  operation: new CarrierChannel<Operation>('svc.operation'),
  frame: new CarrierChannel<SocketFrame>('svc.socket.frame'),
  repository: new CarrierChannel<RepositoryCall>('svc.repository'),
  enqueue: new CarrierChannel<Enqueuing>('svc.queue.enqueue'),
  job: new CarrierChannel<JobRun>('svc.queue.job'),
  delivery: new CarrierChannel<DeliveryRun>('svc.webhooks.delivery')
})
