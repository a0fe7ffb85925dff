/**
 * What happens to a request, for who watches: typed channels of node:diagnostics_channel. Plugins publish, and only where
 * somebody subscribes; without a subscriber a channel costs the read of one property. Never a credential, a body or a
 * parameter of a statement. A channel is of the process: the request tells the applications apart.
 */
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyRequest } from 'fastify'
import type { AuditEvent } from './audit-port.ts'
import type { JuryExplanation } from './security-port.ts'

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
  readonly votes: JuryExplanation['votes']
}

/** A statement of a database, without its values. */
export interface Statement {
  /** Of the connector. */
  readonly connector: string
  /** `select`, `insert`, ..., or the command of a document database. */
  readonly kind: string
  /** Table or collection; `null` where the text names none. */
  readonly table: string | null
  /** Its text with `?` for each value, at most 1 000 characters; absent where the driver has none. */
  readonly text?: string
  readonly durationMs: number
  readonly failed: boolean
}

/** A message that was published to a channel of svc-realtime. */
export interface PublishedMessage {
  readonly channel: string
}

/** A diagnostics channel with the type of its messages. */
export interface TypedChannel<Message> {
  readonly name: string
  /** Asked before a message is made. */
  readonly hasSubscribers: boolean
  publish(message: Message): void
  /** `listener` is called in the stack of whoever publishes. @returns unsubscribe */
  subscribe(listener: (message: Message) => void): () => void
}

/** Publishes a statement once its work is over. For who has found `statement.hasSubscribers`. */
export async function publishStatement<T>(
  what: Pick<Statement, 'connector' | 'kind' | 'table' | 'text'>,
  work: () => Promise<T>
): Promise<T> {
  const start = performance.now()
  let failed = true
  try {
    const result = await work()
    failed = false
    return result
  } finally {
    requestChannels.statement.publish({ ...what, durationMs: performance.now() - start, failed })
  }
}

function typedChannel<Message>(name: string): TypedChannel<Message> {
  const untyped = channel(name)
  return {
    name,
    get hasSubscribers() {
      return untyped.hasSubscribers
    },
    publish: (message) => untyped.publish(message),
    subscribe: (listener) => {
      const heard = (message: unknown): void => listener(message as Message)
      subscribe(name, heard)
      return () => unsubscribe(name, heard)
    }
  }
}

/**
 * Channels of node:diagnostics_channel that tell what happens to a request, for all applications of the process. A
 * channel without a subscriber costs the read of one property.
 */
export const requestChannels = Object.freeze({
  admission: typedChannel<Admission>('svc.request.admission'),
  decision: typedChannel<Decision>('svc.request.decision'),
  /** In the context of the request that causes it, as are those that follow: see `currentRequest`. */
  statement: typedChannel<Statement>('svc.request.statement'),
  message: typedChannel<PublishedMessage>('svc.request.message'),
  audit: typedChannel<AuditEvent>('svc.audit.event')
})
