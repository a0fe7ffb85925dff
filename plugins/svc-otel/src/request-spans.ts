/**
 * The server span of a request: begun before all hooks, active in all of them, ended when the answer is out. Where another
 * instrumentation has begun a span for the request, that one is joined: it gets the attributes of svc, and is not ended here.
 */
import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace
} from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import type { EnteredRequest } from 'svc-kernel'
import { ATTRIBUTE } from './attributes.ts'
import type { OtelConfig } from './options.ts'
import { linksTo, remoteSpan } from './span-context.ts'

const METHODS: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE'
])

/** Where an application keeps its settings: the channels belong to the process. */
export const settingsSlot = Symbol('svc.otel')

interface RequestSpan {
  readonly span: Span
  readonly context: Context
  readonly isJoined: boolean
  isEnded: boolean
}

/** How a request ended. */
export interface RequestEnd {
  readonly status: number
  /** Code of the error that was answered. */
  readonly code: string | null
}

export class RequestSpans {
  readonly #tracer: Tracer
  readonly #spans = new WeakMap<FastifyRequest, RequestSpan>()
  /** Spans of this class: a request that is injected below one is no part of it. */
  readonly #own = new WeakSet<Span>()

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  /** The context of a request; that of before where the application does not trace, or where the request is known. */
  readonly contextOf = ({ request }: EnteredRequest): Context => {
    const active = context.active()
    const settings = settingsOf(request)
    if (settings === undefined) return active
    const known = this.#spans.get(request)
    if (known !== undefined) return known.context
    const made = this.#join(request, active) ?? this.#begin(request, active, settings)
    this.#spans.set(request, made)
    return made.context
  }

  /** The span of a request; `undefined` for one that is not traced. */
  of(request: FastifyRequest): Span | undefined {
    return this.#spans.get(request)?.span
  }

  end(request: FastifyRequest, { status, code }: RequestEnd): void {
    const known = this.#spans.get(request)
    if (known === undefined || known.isEnded) return
    known.isEnded = true
    if (known.isJoined) return
    const { span } = known
    span.setAttribute(ATTRIBUTE.statusCode, status)
    if (status >= 500) fail(span, code ?? String(status))
    span.end()
  }

  /** The caller is gone, and gets no answer. */
  abort(request: FastifyRequest): void {
    const known = this.#spans.get(request)
    if (known === undefined || known.isEnded) return
    known.isEnded = true
    if (known.isJoined) return
    fail(known.span, 'aborted')
    known.span.end()
  }

  #join(request: FastifyRequest, active: Context): RequestSpan | null {
    const { opentelemetry } = request as { opentelemetry?: () => { readonly span?: Span | null } }
    const outer = trace.getSpan(active)
    // Spans of the SDK tell their kind, which the API does not show.
    const isServer = (outer as { kind?: SpanKind } | undefined)?.kind === SpanKind.SERVER
    const found = opentelemetry?.call(request).span ?? (isServer ? outer : undefined)
    if (found === undefined || found === null || this.#own.has(found)) return null
    const { url } = request.routeOptions
    if (url !== undefined) found.setAttribute(ATTRIBUTE.route, url)
    return { span: found, context: active, isJoined: true, isEnded: false }
  }

  #begin(request: FastifyRequest, active: Context, { incoming }: OtelConfig): RequestSpan {
    const { method, headers, protocol, raw } = request
    const route = request.routeOptions.url
    const known = METHODS.has(method)
    const attributes: Attributes = {
      [ATTRIBUTE.requestMethod]: known ? method : '_OTHER',
      [ATTRIBUTE.scheme]: protocol,
      [ATTRIBUTE.protocolVersion]: raw.httpVersion
    }
    if (!known) attributes[ATTRIBUTE.requestMethodOriginal] = method
    if (route !== undefined) attributes[ATTRIBUTE.route] = route
    const word = known ? method : 'HTTP'
    const name = route === undefined ? word : `${word} ${route}`
    const isBelow = trace.getSpan(active) !== undefined
    const parent = incoming === 'parent' && !isBelow ? continued(active, headers) : active
    const links = incoming === 'link' ? linksTo(remoteSpan(headers.traceparent)) : []
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, links }, parent)
    this.#own.add(span)
    return { span, context: trace.setSpan(parent, span), isJoined: false, isEnded: false }
  }
}

/** What the caller sent, as the propagator of the SDK reads it, else as W3C Trace Context. */
function continued(active: Context, headers: FastifyRequest['headers']): Context {
  const extracted = propagation.extract(active, headers)
  if (trace.getSpanContext(extracted) !== undefined) return extracted
  const remote = remoteSpan(headers.traceparent)
  return remote === null ? extracted : trace.setSpanContext(extracted, remote)
}

/** The settings of the application that serves a request; `undefined` if it does not trace. */
export function settingsOf({ server }: Pick<FastifyRequest, 'server'>): OtelConfig | undefined {
  return (server as { [settingsSlot]?: OtelConfig })[settingsSlot]
}

/** Without a message: that of an error may hold values. */
export function fail(span: Span, type: string): void {
  span.setAttribute(ATTRIBUTE.errorType, type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** The stable code of an error, else the name of its class. */
export function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : '_OTHER'
}
