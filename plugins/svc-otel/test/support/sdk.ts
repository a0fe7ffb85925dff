/** An OpenTelemetry SDK for one test: its spans are kept in memory, and it is gone after the test. */
import { context, diag, metrics, propagation, type TimeInput, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor
} from '@opentelemetry/sdk-trace-base'
import type { Test } from 'tap'

export class Sdk {
  readonly #exporter = new InMemorySpanExporter()

  constructor(t: Test, processor?: SpanProcessor) {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [processor ?? new SimpleSpanProcessor(this.#exporter)] })
    )
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    t.teardown(() => {
      for (const api of [trace, context, propagation, metrics, diag]) api.disable()
    })
  }

  /** Those that have ended, in the order of their ends. */
  get spans(): readonly ReadableSpan[] {
    return this.#exporter.getFinishedSpans()
  }

  /** The only span of this name. @throws Error if there is none, or several */
  named(name: string): ReadableSpan {
    const found = this.spans.filter((span) => span.name === name)
    if (found.length !== 1) throw new Error(`${found.length} spans ${name} among ${this.spans.map(({ name }) => name)}`)
    return found[0] as ReadableSpan
  }

  /** Names of the spans below a span, each indented by its depth, in the order of their beginnings. */
  tree(root: ReadableSpan, depth = 0): string[] {
    const children = this.spans
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === root.spanContext().spanId)
      .sort((a, b) => ms(a.startTime) - ms(b.startTime))
    return [`${'  '.repeat(depth)}${root.name}`, ...children.flatMap((child) => this.tree(child, depth + 1))]
  }

  clear(): void {
    this.#exporter.reset()
  }
}

/** Of a time as spans have it: seconds and nanoseconds. */
export function ms(time: TimeInput): number {
  const [seconds, nanoseconds] = time as [number, number]
  return seconds * 1000 + nanoseconds / 1e6
}
