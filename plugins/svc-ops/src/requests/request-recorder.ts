/**
 * Gathers what happens to a request while it is served: from hooks when its phases end, from the channels of svc-kernel
 * what was decided and caused. What comes after its answer, such as a delivery, is added to what is kept.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type Admission,
  type AuditEvent,
  currentRequest,
  type Decision,
  errorBody,
  type PublishedMessage,
  requestChannels,
  type Statement
} from 'svc-kernel'
import { routeConfigReader, safeText } from 'svc-kernel/plugin'
import type { DeliveryNews } from '../metrics/delivery-channels.ts'
import { recordedFailure } from './recorded-failure.ts'
import { keptHeaders, redactedUrl } from './redacted-url.ts'
import type { RequestLog } from './request-log.ts'
import { MOST_AFTERWARDS, MOST_OF_A_KIND, type Phase, type RecordedCall, RequestRecord } from './request-record.ts'

/** Where a request keeps its record; declared by the plugin, which a scope that was opened before has not inherited. */
export const recordSlot = Symbol('svc.request-record')

/** Where an application keeps its recorder: the channels are of the process, and tell of requests of others as well. */
export const recorderSlot = Symbol('svc.request-recorder')

/** Not sampled. */
const SKIPPED = Symbol('svc.request-skipped')

interface RecordedRequest extends FastifyRequest {
  [recordSlot]?: RequestRecord | typeof SKIPPED | null
}

/** A text of a caller ends here. */
const LONGEST = 256

/** Of events whose deliveries may still come; those of requests that never end would stay for ever. */
const MOST_EVENTS = 20_000

/** Routes that administrators look with: what they read is no news. */
const VIEWERS = /^svc\.(?:ops|console)\b/

export interface RecorderParts {
  readonly log: RequestLog
  /** The part of all requests that is recorded, 0 to 1. */
  readonly sample: number
  /** 0 to 1. */
  readonly random: () => number
  /** Folder of the application; `null` where nothing knows it. */
  readonly root: string | null
  /** Called with each record that is stored, when its answer is out. */
  readonly onRecorded: (record: RequestRecord) => void
}

export class RequestRecorder {
  readonly #parts: RecorderParts
  readonly #configOf = routeConfigReader()
  /** Records by the audit events they caused: deliveries name their event. */
  readonly #byEvent = new Map<string, RequestRecord>()

  constructor(parts: RecorderParts) {
    this.#parts = parts
  }

  /** Listens to the channels. @returns ends it */
  listen(): () => void {
    const { admission, decision, statement, message, audit, operation, repository } = requestChannels
    const began = new WeakMap<object, number>()
    const start = (work: object): void => void began.set(work, performance.now())
    const tookMs = (work: object) => performance.now() - (began.get(work) ?? performance.now())
    const ends = [
      operation.subscribe({
        start,
        over: (work) => {
          const { request, name, error } = work
          this.#called(
            this.#of(request),
            { kind: 'operation', name, plan: null, failed: error !== undefined },
            tookMs(work)
          )
        }
      }),
      repository.subscribe({
        start,
        over: (work) => {
          const { operation, entity, plan, error } = work
          const call = {
            kind: 'repository',
            name: `${operation} ${entity}`,
            plan,
            failed: error !== undefined
          } as const
          this.#called(this.#current(), call, tookMs(work))
        }
      }),
      admission.subscribe((event) => this.#admitted(event)),
      decision.subscribe((event) => this.#decided(event)),
      statement.subscribe((event) => this.#stated(event)),
      message.subscribe((event) => this.#published(event)),
      audit.subscribe((event) => this.#audited(event))
    ]
    return () => {
      for (const end of ends) end()
    }
  }

  records(request: FastifyRequest): boolean {
    return this.#of(request) !== null
  }

  /** A phase of a request has ended. */
  mark(request: FastifyRequest, phase: Phase): void {
    const record = this.#of(request)
    if (record !== null) record[phase] = record.since(performance.now())
  }

  failed(request: FastifyRequest, error: unknown): void {
    const record = this.#of(request)
    if (record === null) return
    const { code, statusCode } = errorBody(error, false)
    record.error = code.slice(0, LONGEST)
    if (statusCode >= 500) record.failure = recordedFailure(error, this.#parts.root)
  }

  /** Its answer is out. */
  ended(request: FastifyRequest, reply: FastifyReply): void {
    const record = this.#of(request)
    if (record === null) return
    const config = this.#configOf(request)
    const { statusCode: status, elapsedTime } = reply
    const handler = config.svc?.name ?? null
    if (handler !== null && status < 400 && VIEWERS.test(handler)) return
    record.durationUs = (elapsedTime * 1000) | 0
    record.startUs = Math.min(record.since(performance.now()) - record.durationUs, 0)
    record.method = request.method
    record.route = config.url ?? null
    const params = request.params as Record<string, unknown> | null
    record.url = redactedUrl(request.raw.url ?? '', params, record.route !== null)
    record.handler = handler
    record.status = status
    record.ip = request.ip
    record.user = request.user?.identifier.slice(0, LONGEST) ?? null
    record.tokenType = request.token?.type ?? null
    record.headers = keptHeaders(request.headers)
    this.#parts.log.add(record)
    this.#parts.onRecorded(record)
  }

  /** What became of a delivery, by the name of its channel. */
  delivered(state: string, event: DeliveryNews): void {
    const { eventId, endpointId, messageId = null, attempt, status = null } = event
    const record = typeof eventId === 'string' ? this.#byEvent.get(eventId) : undefined
    if (record === undefined || typeof eventId !== 'string') return
    record.deliveries ??= []
    const known = record.deliveries.find((each) => each.eventId === eventId && each.endpointId === endpointId)
    if (known !== undefined) {
      known.state = state
      known.messageId = messageId ?? known.messageId
      known.attempts = attempt ?? known.attempts
      known.status = status ?? known.status
    } else if (hasRoom(record, record.deliveries)) {
      const afterwards = record.isAnswered
      record.deliveries.push({ endpointId, eventId, afterwards, messageId, state, attempts: attempt ?? 0, status })
    }
  }

  /** It is kept no longer. */
  forget(record: RequestRecord): void {
    for (const { id } of record.events ?? []) this.#byEvent.delete(id)
  }

  #admitted({ request, zone, authenticator, outcome, reason, durationMs }: Admission): void {
    const record = this.#of(request)
    if (record === null) return
    record.zone = zone
    record.authenticator = authenticator
    record.admission = outcome
    record.admissionReason = reason === null ? null : safeText(reason)
    record.admissionEndedUs = record.since(performance.now())
    record.admissionMs = durationMs
  }

  #decided({ request, votes, ...decision }: Decision): void {
    const record = this.#of(request)
    if (record === null) return
    const endedUs = record.since(performance.now())
    record.guardedUs = endedUs
    record.decisions ??= []
    if (!hasRoom(record, record.decisions as readonly object[])) return
    const { attribute, subject, granted, reason, durationMs } = decision
    record.decisions.push({ attribute, subject, granted, reason, endedUs, durationMs, votes: votes.map(shownVote) })
  }

  #called(
    record: RequestRecord | null,
    call: Pick<RecordedCall, 'kind' | 'name' | 'plan' | 'failed'>,
    durationMs: number
  ): void {
    if (record === null) return
    record.calls ??= []
    if (!hasRoom(record, record.calls)) return
    record.calls.push({ ...call, endedUs: record.since(performance.now()), durationMs, afterwards: record.isAnswered })
  }

  #stated({ text, ...facts }: Statement): void {
    const record = this.#current()
    if (record === null) return
    record.statements ??= []
    if (!hasRoom(record, record.statements)) return
    const endedUs = record.since(performance.now())
    const { connector, kind, table, durationMs, failed } = facts
    const afterwards = record.isAnswered
    record.statements.push({ connector, kind, table, text: text ?? null, endedUs, durationMs, failed, afterwards })
  }

  #published({ channel }: PublishedMessage): void {
    const record = this.#current()
    if (record === null) return
    const shown = safeText(channel)
    record.messages ??= []
    const afterwards = record.isAnswered
    const known = record.messages.find((each) => each.channel === shown && each.afterwards === afterwards)
    if (known !== undefined) known.count += 1
    else if (hasRoom(record, record.messages)) record.messages.push({ channel: shown, afterwards, count: 1 })
  }

  #audited({ id, action }: AuditEvent): void {
    const record = this.#current()
    if (record === null) return
    record.events ??= []
    if (!hasRoom(record, record.events)) return
    record.events.push({ id, action, afterwards: record.isAnswered })
    this.#byEvent.set(id, record)
    if (this.#byEvent.size > MOST_EVENTS) this.#byEvent.delete(this.#byEvent.keys().next().value ?? '')
  }

  #current(): RequestRecord | null {
    const request = currentRequest()
    return request === undefined ? null : this.#of(request)
  }

  /** `null` for a request that is not recorded. */
  #of(request: RecordedRequest): RequestRecord | null {
    const held = request[recordSlot]
    if (held === SKIPPED) return null
    return held ?? (this.#isOwn(request) ? this.#begin(request) : null)
  }

  /** Scopes inherit from the application, whenever they were opened. */
  #isOwn({ server }: FastifyRequest): boolean {
    return (server as { [recorderSlot]?: RequestRecorder })[recorderSlot] === this
  }

  #begin(request: RecordedRequest): RequestRecord | null {
    const { sample, random } = this.#parts
    if (sample < 1 && random() >= sample) {
      request[recordSlot] = SKIPPED
      return null
    }
    const record = new RequestRecord(safeText(request.id), performance.now())
    request[recordSlot] = record
    return record
  }
}

/** Voters of the application write what they like. */
function shownVote<Vote extends { readonly reason?: string }>(vote: Vote): Vote {
  return vote.reason === undefined ? vote : { ...vote, reason: safeText(vote.reason) }
}

/** What comes afterwards has room of its own, beside what the answer waited for. */
function hasRoom(record: RequestRecord, list: readonly { readonly afterwards?: boolean }[]): boolean {
  const hasPlace = record.isAnswered
    ? list.length < MOST_OF_A_KIND + MOST_AFTERWARDS && list.filter((each) => each.afterwards).length < MOST_AFTERWARDS
    : list.length < MOST_OF_A_KIND
  if (hasPlace) return true
  record.omitted += 1
  return false
}
