/**
 * Spans of work that carries other events: operations, socket frames, repository calls, jobs and deliveries. Each is active
 * while its work runs, so that spans of the application and of other instrumentations are its children.
 */
import { context, ROOT_CONTEXT, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api'
import { type Carried, type CarrierChannel, requestChannels } from 'svc-kernel'
import { ATTRIBUTE } from './attributes.ts'
import { errorType, fail, type RequestSpans, settingsOf } from './request-spans.ts'
import { contextStore, linksTo, remoteSpan } from './span-context.ts'

const { operation, frame, repository, enqueue, job, delivery } = requestChannels

/** Opens the spans of all channels. @returns ends it */
export function workSpans(tracer: Tracer, requests: RequestSpans): () => void {
  const ends = [
    carry(operation, ({ request, name }) => {
      if (settingsOf(request) === undefined) return null
      return tracer.startSpan(name, { attributes: { [ATTRIBUTE.function]: name } })
    }),
    carry(frame, ({ request, method }) => {
      if (settingsOf(request) === undefined) return null
      const route = request.routeOptions.url ?? ''
      const attributes = {
        [ATTRIBUTE.route]: route,
        ...(method !== null && { [ATTRIBUTE.rpcSystem]: 'jsonrpc', [ATTRIBUTE.rpcMethod]: method })
      }
      const links = linksTo(requests.of(request)?.spanContext())
      const options = { kind: SpanKind.SERVER, attributes, links, root: true }
      return tracer.startSpan(`${method ?? 'message'} ${route}`, options, ROOT_CONTEXT)
    }),
    carry(repository, ({ connector, entity, operation: name, plan }) => {
      if (trace.getActiveSpan() === undefined) return null
      const summary = `${name} ${entity}`
      const attributes = {
        [ATTRIBUTE.connector]: connector,
        [ATTRIBUTE.dbCollection]: entity,
        [ATTRIBUTE.dbOperation]: name,
        [ATTRIBUTE.dbSummary]: summary,
        [ATTRIBUTE.dbText]: plan
      }
      return tracer.startSpan(summary, { attributes })
    }),
    carry(enqueue, ({ queue, lane }) => {
      if (trace.getActiveSpan() === undefined) return null
      const attributes = { ...messaging(queue, 'send'), [ATTRIBUTE.lane]: lane }
      return tracer.startSpan(`send ${queue}`, { kind: SpanKind.PRODUCER, attributes })
    }),
    carry(
      job,
      ({ queue, lane, id, attempt, traceparent }) => {
        const attributes = {
          ...messaging(queue, 'process'),
          [ATTRIBUTE.lane]: lane,
          [ATTRIBUTE.attempt]: attempt,
          ...(id !== null && { [ATTRIBUTE.messageId]: id })
        }
        const links = linksTo(remoteSpan(traceparent))
        const options = { kind: SpanKind.CONSUMER, attributes, links, root: true }
        return tracer.startSpan(`process ${queue}`, options, ROOT_CONTEXT)
      },
      (span, { verdict }) => {
        if (verdict === undefined) return
        span.setAttribute(ATTRIBUTE.verdict, verdict)
        if (verdict === 'failed' || verdict === 'retry') fail(span, verdict)
      }
    ),
    carry(
      delivery,
      ({ endpointId, type, eventId, messageId, attempt }) => {
        const attributes = {
          [ATTRIBUTE.requestMethod]: 'POST',
          [ATTRIBUTE.endpoint]: endpointId,
          [ATTRIBUTE.eventType]: type,
          [ATTRIBUTE.auditEvent]: eventId,
          [ATTRIBUTE.messageId]: messageId,
          [ATTRIBUTE.attempt]: attempt
        }
        return tracer.startSpan(`POST ${type}`, { kind: SpanKind.CLIENT, attributes })
      },
      (span, { outcome, status }) => {
        if (status !== undefined) span.setAttribute(ATTRIBUTE.statusCode, status)
        if (status !== undefined && status >= 400) fail(span, String(status))
        else if (outcome !== undefined && outcome !== 'answered') fail(span, outcome)
      }
    )
  ]
  return () => {
    for (const end of ends) end()
  }
}

function messaging(queue: string, operation: 'send' | 'process') {
  return {
    [ATTRIBUTE.messagingSystem]: 'svc',
    [ATTRIBUTE.messagingOperation]: operation,
    [ATTRIBUTE.messagingOperationType]: operation,
    [ATTRIBUTE.messagingDestination]: queue
  }
}

/** A span around the work of a channel. @param begin `null`: this work has none */
function carry<Message extends object>(
  channel: CarrierChannel<Message>,
  begin: (message: Message & Carried) => Span | null,
  finish?: (span: Span, message: Message) => void
): () => void {
  const spans = new WeakMap<Message, Span>()
  const unbind = channel.bind(contextStore, (message) => {
    const span = begin(message)
    if (span === null) return context.active()
    spans.set(message, span)
    return trace.setSpan(context.active(), span)
  })
  const end = channel.subscribe({
    over: (message) => {
      const span = spans.get(message)
      if (span === undefined) return
      if (message.error !== undefined) fail(span, errorType(message.error))
      finish?.(span, message)
      span.end()
    }
  })
  return () => {
    unbind()
    end()
  }
}
