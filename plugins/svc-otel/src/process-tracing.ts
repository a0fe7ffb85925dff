/**
 * The subscriptions of this process, shared by its applications: channels and the API of OpenTelemetry belong to the process,
 * so that a second subscription would make every span twice.
 */
import {
  context,
  createContextKey,
  DiagLogLevel,
  diag,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  trace
} from '@opentelemetry/api'
import type { FastifyBaseLogger } from 'fastify'
import { BootError, CarrierChannel, requestChannels } from 'svc-kernel'
import { safeText, traceFrom } from 'svc-kernel/plugin'
import { Durations } from './durations.ts'
import { CONTEXT_LOST } from './errors.ts'
import { eventSpans } from './event-spans.ts'
import { RequestSpans } from './request-spans.ts'
import { activeTraceparent, contextStore } from './span-context.ts'
import { workSpans } from './work-spans.ts'

/** Different errors of the SDK that are logged; further ones are debugged. */
const MOST_LOGGED = 100

/** What the applications of this process trace with. */
export interface ProcessTracing {
  readonly requests: RequestSpans
  readonly durations: Durations | null
  /** The application is closed: the last one ends the subscriptions. */
  release(): void
}

interface Shared {
  readonly requests: RequestSpans
  durations: Durations | null
  users: number
  readonly ends: (() => void)[]
}

let shared: Shared | null = null

/** True if the application has registered an SDK for traces. */
export function hasSdk(): boolean {
  const provider: unknown = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('svc-otel') !== undefined
}

/** @throws BootError SVC_OTEL_CONTEXT where contexts do not reach the code below a channel */
export function openTracing(withMetrics: boolean, log: FastifyBaseLogger): ProcessTracing {
  proveContext()
  const own = shared ?? begin(log)
  shared = own
  own.users += 1
  if (withMetrics && own.durations === null) {
    own.durations = new Durations()
    own.ends.push(own.durations.listen())
  }
  let isReleased = false
  return {
    requests: own.requests,
    durations: withMetrics ? own.durations : null,
    release: () => {
      if (isReleased) return
      isReleased = true
      own.users -= 1
      if (own.users > 0) return
      for (const end of own.ends) end()
      shared = null
    }
  }
}

function begin(log: FastifyBaseLogger): Shared {
  const tracer = trace.getTracer('svc-otel')
  const requests = new RequestSpans(tracer)
  const ends = [
    requestChannels.entry.bind(contextStore, requests.contextOf),
    workSpans(tracer, requests),
    eventSpans(tracer, requests),
    traceFrom(activeTraceparent),
    logOfSdk(log)
  ]
  return { requests, durations: null, users: 0, ends }
}

/** Shown once at the boot rather than by traces that are torn: Node enters the store, and the store its context. */
function proveContext(): void {
  const probe = new CarrierChannel<object>('svc.otel.probe')
  const key = createContextKey('svc-otel')
  const unbind = probe.bind(contextStore, () => ROOT_CONTEXT.setValue(key, true))
  let isActive = false
  probe.enter({}, () => {
    isActive = context.active().getValue(key) === true
  })
  unbind()
  if (!isActive) throw new BootError([{ code: 'SVC_OTEL_CONTEXT', ...CONTEXT_LOST }])
}

/** Errors of the SDK go to the log of the application, each once, unless the application has its own logger for them. */
function logOfSdk(log: FastifyBaseLogger): () => void {
  const registered = (globalThis as Record<symbol, unknown>)[Symbol.for('opentelemetry.js.api.1')]
  if ((registered as { diag?: unknown } | undefined)?.diag !== undefined) return () => undefined
  const seen = new Set<string>()
  const silent = (): void => undefined
  const error = (message: string): void => {
    const text = safeText(firstLine(message), 500)
    const isFirst = !seen.has(text) && seen.size < MOST_LOGGED
    seen.add(text)
    log[isFirst ? 'error' : 'debug']({ code: 'SVC_OTEL_SDK' }, `OpenTelemetry: ${text}`)
  }
  diag.setLogger(
    { error, warn: silent, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ERROR }
  )
  return () => diag.disable()
}

/** The SDK writes errors as JSON, with their stacks. */
function firstLine(message: string): string {
  try {
    const { message: text, name } = JSON.parse(message) as { message?: unknown; name?: unknown }
    return typeof text === 'string' ? `${typeof name === 'string' ? `${name}: ` : ''}${text}` : message
  } catch {
    return message.split('\n', 1)[0] ?? ''
  }
}
