/** Between the API of OpenTelemetry and the kernel: trace contexts as `traceparent`, and contexts as stores of a channel. */
import {
  type Context,
  context,
  isSpanContextValid,
  type Link,
  type SpanContext,
  TraceFlags,
  trace
} from '@opentelemetry/api'
import type { CarrierStore } from 'svc-kernel'
import { readTraceparent } from 'svc-kernel/plugin'

/** Runs work in a context of OpenTelemetry, through its public API. */
export const contextStore: CarrierStore<Context> = {
  run: (active, work) => context.with(active, work)
}

/** The `traceparent` of the active span; `null` without one. */
export function activeTraceparent(): string | null {
  const active = trace.getActiveSpan()?.spanContext()
  if (active === undefined || !isSpanContextValid(active)) return null
  return `00-${active.traceId}-${active.spanId}-0${active.traceFlags & TraceFlags.SAMPLED}`
}

/** The span of another process that a `traceparent` names; `null` for a malformed one. */
export function remoteSpan(traceparent: unknown): SpanContext | null {
  const read = readTraceparent(traceparent)
  if (read === null) return null
  const [, traceId = '', spanId = '', flags = ''] = read.split('-')
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

/** A list of one link, or of none. */
export function linksTo(span: SpanContext | null | undefined): Link[] {
  return span === null || span === undefined ? [] : [{ context: span }]
}
