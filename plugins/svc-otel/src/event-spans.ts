/**
 * Spans of events that are published when they are over: who was let in, each decision with its votes, each statement. They
 * are children of the active span; an event outside of any span, such as a statement of the boot, has none.
 */
import { type Attributes, context, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api'
import { type Admission, type Decision, requestChannels, type Statement } from 'svc-kernel'
import { ATTRIBUTE, OTHER_ERROR } from './attributes.ts'
import { fail, type RequestSpans } from './request-spans.ts'

/** Opens the spans of all channels. @returns ends it */
export function eventSpans(tracer: Tracer, requests: RequestSpans): () => void {
  const { admission, decision, statement, message, audit } = requestChannels
  const ends = [
    admission.subscribe((event) => admitted(tracer, requests.of(event.request), event)),
    decision.subscribe((event) => decided(tracer, event)),
    statement.subscribe((event) => stated(tracer, event)),
    message.subscribe(({ channel }) => {
      trace.getActiveSpan()?.addEvent('svc.realtime.publish', { [ATTRIBUTE.channel]: channel })
    }),
    audit.subscribe(({ id, action }) => {
      trace.getActiveSpan()?.addEvent('svc.audit', { [ATTRIBUTE.auditEvent]: id, [ATTRIBUTE.auditAction]: action })
    })
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** The span of the request tells it too, so that traces can be searched by it. */
function admitted(tracer: Tracer, request: Span | undefined, event: Admission): void {
  const { zone, authenticator, outcome, tokenType, reason, durationMs } = event
  const attributes = stringsOf({
    [ATTRIBUTE.zone]: zone,
    [ATTRIBUTE.authenticator]: authenticator,
    [ATTRIBUTE.admission]: outcome,
    [ATTRIBUTE.tokenType]: tokenType,
    [ATTRIBUTE.admissionReason]: reason
  })
  request?.setAttributes(attributes)
  ended(tracer, `admission ${zone}`, attributes, durationMs)
}

function decided(tracer: Tracer, { attribute, subject, granted, reason, votes, durationMs }: Decision): void {
  const attributes = {
    [ATTRIBUTE.decision]: attribute,
    [ATTRIBUTE.decisionGranted]: granted,
    ...stringsOf({ [ATTRIBUTE.decisionSubject]: subject, [ATTRIBUTE.decisionReason]: reason })
  }
  const span = begun(tracer, `decision ${attribute}`, attributes, durationMs)
  if (span === null) return
  const now = performance.now()
  const within = trace.setSpan(context.active(), span)
  for (const { voter, vote, reason: why = null, atMs, durationMs: tookMs } of votes) {
    const startTime = now - durationMs + atMs
    const said = stringsOf({ [ATTRIBUTE.voter]: voter, [ATTRIBUTE.vote]: vote, [ATTRIBUTE.voteReason]: why })
    tracer.startSpan(`vote ${voter} ${vote}`, { attributes: said, startTime }, within).end(startTime + tookMs)
  }
  span.end(now)
}

function stated(tracer: Tracer, statement: Statement): void {
  const { connector, system = null, namespace = null, kind, table, text = null, durationMs, failed } = statement
  const summary = table === null ? kind : `${kind} ${table}`
  const attributes = stringsOf({
    [ATTRIBUTE.dbSystem]: system,
    [ATTRIBUTE.dbNamespace]: namespace,
    [ATTRIBUTE.dbCollection]: table,
    [ATTRIBUTE.dbOperation]: kind,
    [ATTRIBUTE.dbSummary]: summary,
    [ATTRIBUTE.dbText]: text,
    [ATTRIBUTE.connector]: connector
  })
  const span = begun(tracer, summary, attributes, durationMs, SpanKind.CLIENT)
  if (span === null) return
  if (failed) fail(span, OTHER_ERROR)
  span.end()
}

function ended(tracer: Tracer, name: string, attributes: Attributes, durationMs: number): void {
  begun(tracer, name, attributes, durationMs)?.end()
}

/** @returns `null` outside of any span */
function begun(
  tracer: Tracer,
  name: string,
  attributes: Attributes,
  durationMs: number,
  kind = SpanKind.INTERNAL
): Span | null {
  if (trace.getActiveSpan() === undefined) return null
  return tracer.startSpan(name, { kind, attributes, startTime: performance.now() - durationMs })
}

function stringsOf(given: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null))
}
