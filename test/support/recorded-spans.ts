/** An OpenTelemetry SDK for one test, whose spans are kept in memory. */
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor
} from '@opentelemetry/sdk-trace-base'
import type { Test } from 'tap'

export interface RecordedSpans {
  readonly provider: BasicTracerProvider
  /** Those that have ended. */
  all(): readonly ReadableSpan[]
  /** The first that has ended with this name. */
  named(name: string): ReadableSpan | undefined
  /** Names of the spans below one, each with its depth, in the order of their beginnings. */
  tree(root: ReadableSpan): string[]
  clear(): void
}

export function recordSpans(t: Test): RecordedSpans {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  t.teardown(() => {
    trace.disable()
    context.disable()
  })
  const all = () => exporter.getFinishedSpans()
  const tree = (root: ReadableSpan, depth = 0): string[] => {
    const children = all()
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === root.spanContext().spanId)
      .sort((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1])
    return [`${'  '.repeat(depth)}${root.name}`, ...children.flatMap((child) => tree(child, depth + 1))]
  }
  return {
    provider,
    all,
    named: (name) => all().find((span) => span.name === name),
    tree: (root) => tree(root),
    clear: () => exporter.reset()
  }
}
