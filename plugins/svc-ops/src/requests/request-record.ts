/**
 * One request as it is stored for administrators: what was asked, who decided what, and what it caused. Never a body.
 * Flat, with whole microseconds, and with lists only where there is something in them: it is made for each request, and
 * what stays is what a garbage collection has to copy.
 */
import type { TimedVote } from 'svc-kernel'
import type { RecordedFailure } from './recorded-failure.ts'

export interface RecordedDecision {
  readonly attribute: string
  /** Name of the route parameter that was the subject. */
  readonly subject: string | null
  readonly granted: boolean
  readonly reason: string | null
  /** Microseconds of `RequestRecord`, when it ended. */
  readonly endedUs: number
  readonly durationMs: number
  readonly votes: readonly TimedVote[]
}

/** Work that carried other work: a controller method, a call of a repository. */
export interface RecordedCall {
  readonly kind: 'operation' | 'repository'
  /** `Class.method`, or operation and entity. */
  readonly name: string
  /** What was asked of the table, without values; `null` for a method. */
  readonly plan: string | null
  /** Microseconds of `RequestRecord`, when it ended. */
  readonly endedUs: number
  readonly durationMs: number
  readonly failed: boolean
  readonly afterwards: boolean
}

export interface RecordedStatement {
  readonly connector: string
  readonly kind: string
  readonly table: string | null
  /** Without values; `null` where the driver tells none. */
  readonly text: string | null
  /** Microseconds of `RequestRecord`, when it ended. */
  readonly endedUs: number
  readonly durationMs: number
  readonly failed: boolean
  /** It came when the answer was out: the request began it, and nobody waited for it. */
  readonly afterwards: boolean
}

export interface RecordedEvent {
  /** Of the audit event. */
  readonly id: string
  readonly action: string
  readonly afterwards: boolean
}

export interface RecordedDelivery {
  readonly endpointId: string
  /** Of the audit event that it carries. */
  readonly eventId: string
  readonly afterwards: boolean
  /** Known after the first attempt. */
  messageId: string | null
  /** `enqueued`, `retried`, and in the end `delivered`, `failed`, `dropped` or `discarded`. */
  state: string
  attempts: number
  /** Of the last attempt. */
  status: number | null
}

export interface RecordedMessages {
  readonly channel: string
  readonly afterwards: boolean
  count: number
}

/** The moments between phases, in order: the hooks before the guard, the guard, the body, its validation, the handler. */
export type Phase = 'admittedUs' | 'guardedUs' | 'parsedUs' | 'validatedUs' | 'handledUs'

/** No phase ended then. */
export const NEVER = -1

export class RequestRecord {
  /** Counts up from 1 in this process. */
  seq = 0
  /** For the bound of the list. */
  bytes = 0
  /** As `requestId` of audit events and of the log. */
  readonly id: string
  /** Time of the process when this record was begun, in milliseconds: microseconds of this record count from it. */
  readonly begunAt: number
  /** The first byte, in microseconds of this record: 0 or less. */
  startUs = 0
  admittedUs = NEVER
  guardedUs = NEVER
  parsedUs = NEVER
  validatedUs = NEVER
  handledUs = NEVER
  durationUs = 0
  method = ''
  /** Template of the route; `null` where none answered. */
  route: string | null = null
  /** Without the values of parameters that are named like a secret. */
  url = ''
  /** `Class.method`, where a controller answered. */
  handler: string | null = null
  status = 0
  /** Code of the error that was answered. */
  error: string | null = null
  /** What was thrown, where the answer was 500 or above. */
  failure: RecordedFailure | null = null
  ip = ''
  user: string | null = null
  tokenType: string | null = null
  headers: Readonly<Record<string, string>> | null = null
  zone: string | null = null
  authenticator: string | null = null
  /** `accepted`, `refused`, `unclaimed`; `null` outside of every zone. */
  admission: string | null = null
  admissionReason: string | null = null
  /** When the admission ended, and how long it took. */
  admissionEndedUs = NEVER
  admissionMs = 0
  decisions: RecordedDecision[] | null = null
  calls: RecordedCall[] | null = null
  statements: RecordedStatement[] | null = null
  events: RecordedEvent[] | null = null
  deliveries: RecordedDelivery[] | null = null
  /** Messages published to channels of svc-realtime, by channel. */
  messages: RecordedMessages[] | null = null
  /** How many of the above were left out, as one request caused too many. */
  omitted = 0

  constructor(id: string, now: number) {
    this.id = id
    this.begunAt = now
  }

  /** Its answer is out. */
  get isAnswered(): boolean {
    return this.status !== 0
  }

  /** @param now time of the process, in milliseconds */
  since(now: number): number {
    return ((now - this.begunAt) * 1000) | 0
  }
}

/** A list of one record ends here. */
export const MOST_OF_A_KIND = 100
/** Of what came afterwards: a worker that a request began may go on for days. */
export const MOST_AFTERWARDS = 20

/** About how much memory a record takes. */
export function sizeOf({
  url,
  failure,
  decisions,
  calls,
  statements,
  events,
  deliveries,
  messages
}: RequestRecord): number {
  let parts = 0
  if (decisions !== null) for (const { votes } of decisions) parts += 1 + votes.length
  for (const list of [calls, statements, events, deliveries, messages]) if (list !== null) parts += list.length
  const text = failure === null ? 0 : failure.message.length + failure.stack.length
  return 800 + 2 * (url.length + text) + 150 * parts
}
