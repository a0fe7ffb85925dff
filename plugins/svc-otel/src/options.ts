/** The options of svc-otel. Exporters, samplers and resources belong to the OpenTelemetry SDK of the application. */
import type { ConfigOf, OptionsOf } from 'svc-kernel'

export const optionsSchema = {
  $id: 'svc-otel/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /**
     * The trace context that a caller sends. `parent` continues its trace; `link` begins a new trace that points to it,
     * for callers outside of your systems; `ignore` begins a new trace.
     */
    incoming: { enum: ['parent', 'link', 'ignore'], default: 'parent' },
    /** Records durations of requests, statements and deliveries with the meter of the SDK. */
    metrics: { type: 'boolean', default: false }
  }
} as const

/** Options of svc-otel, in a config or as the second argument of `register`. */
export type SvcOtelOptions = OptionsOf<typeof optionsSchema>

/** The options, with their defaults. */
export type OtelConfig = ConfigOf<typeof optionsSchema>
